"""The service with the web around it: REST, live connections, pages, and what looks after them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, PlainTextResponse, Response

from dicetown import __version__
from dicetown.server.api import api
from dicetown.server.doors import API, Door
from dicetown.server.guests import Guests
from dicetown.server.pages import Pages, SafeHeaders
from dicetown.server.refusals import Refused
from dicetown.server.sentences import choose_language
from dicetown.server.service import Service

_METRICS = "text/plain; version=0.0.4; charset=utf-8"


def make_app(service: Service, secret: str) -> FastAPI:
    """The application; from its start it looks after the service's tables, and at its end it closes it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.lobby.open()
        service.thinkers.warm_up()
        try:
            yield
        finally:
            service.close()

    app = FastAPI(
        title="Dicetown",
        version=__version__,
        summary="Machi Koro at a table in the browser.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service = service
    app.include_router(api)
    _look_after(app, service)
    _refuse_in_words(app, service)
    app.mount("/", Pages(), name="pages")
    app.add_middleware(Door, service=service, guests=Guests(secret))
    app.add_middleware(SafeHeaders)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    return app


def _look_after(app: FastAPI, service: Service) -> None:
    """What those need who run the service."""

    @app.get("/healthz", include_in_schema=False)
    async def health() -> JSONResponse:
        await service.store.check()
        return JSONResponse({"status": "ok", "version": __version__})

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return PlainTextResponse(service.gauges.page(), media_type=_METRICS)

    @app.api_route(
        "/api/{path:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"], include_in_schema=False
    )
    async def nothing(path: str) -> Response:
        raise Refused("no_page")


def _refuse_in_words(app: FastAPI, service: Service) -> None:
    """Whatever is refused is said in one sentence, in the user's language."""

    def answer(request: Request, refused: Refused, status: int | None = None) -> JSONResponse:
        service.gauges.count_refusal(refused.code)
        language = choose_language(request.query_params.get("lang"), request.headers.get("accept-language"))
        return JSONResponse(refused.as_wire(language).model_dump(), status or refused.status)

    @app.exception_handler(Refused)
    async def refuse(request: Request, refused: Refused) -> JSONResponse:
        return answer(request, refused)

    @app.exception_handler(RequestValidationError)
    async def refuse_form(request: Request, problem: RequestValidationError) -> JSONResponse:
        first = problem.errors()[0]
        if first["type"] == "json_invalid":
            return answer(request, Refused("bad_json"))
        what = ".".join(str(part) for part in first["loc"][1:]) or "body"
        return answer(request, Refused("bad_request", what=what))

    @app.exception_handler(HTTPException)
    async def refuse_address(request: Request, problem: HTTPException) -> Response:
        if not request.url.path.startswith(API):
            return PlainTextResponse(problem.detail, problem.status_code)
        codes = {404: "no_page", 405: "wrong_method"}
        return answer(request, Refused(codes.get(problem.status_code, "bad_json")), problem.status_code)

    @app.exception_handler(Exception)
    async def apologise(request: Request, problem: Exception) -> JSONResponse:
        service.log.error("broken", path=request.url.path, exc_info=problem)
        return answer(request, Refused("broken"))
