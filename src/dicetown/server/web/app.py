"""The service with the web around it: REST, live connections, pages, and what looks after them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Match, Route

from dicetown import __version__
from dicetown.errors import DicetownError
from dicetown.server.store.contact import reason_of
from dicetown.server.store.writer import Unclear
from dicetown.server.web.api import api
from dicetown.server.web.between import answer_others
from dicetown.server.web.guests import Guests
from dicetown.server.web.hop import Hop
from dicetown.server.web.host_names import KnownHosts
from dicetown.server.web.middleware import API, HARMLESS, Admission
from dicetown.server.web.service import Service
from dicetown.server.web.site import SafeHeaders, Site
from dicetown.server.wire.base import LONGEST_NAME
from dicetown.server.wire.between import BETWEEN
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import choose_language

HEALTH, READY, METRICS = "/healthz", "/readyz", "/metrics"
_SHOWN = 80  # letters of the name of what is wrong, which may be anything
FOR_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def make_app(service: Service, secret: str, behind_gateway: bool = False) -> FastAPI:
    """The application; from its start it looks after the service's tables, and at its end it closes it.

    Behind a gateway nobody else is let in, and the gateway is believed whom it speaks for.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await service.rehearse()
        service.open()
        service.thinkers.warm_up()
        if service.settings.prepare:
            service.thinkers.prepare()
        service.log.info("ready")
        try:
            yield
        finally:
            service.log.info("closing", **service.lobby.count())
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
    if behind_gateway:
        answer_others(app, service)
    app.add_middleware(Site, own=(API, BETWEEN, HEALTH, READY, METRICS))
    app.add_middleware(Admission, service=service, guests=Guests(secret))
    app.add_middleware(KnownHosts, service=service)
    app.add_middleware(SafeHeaders)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    if behind_gateway:
        app.add_middleware(Hop, secret=secret, open_to_all=(HEALTH, READY, METRICS))
    return app


def _look_after(app: FastAPI, service: Service) -> None:
    """What those need who run the service."""

    @app.get(HEALTH, include_in_schema=False)
    async def health() -> JSONResponse:
        """Whether the service is alive; a restart would not bring its database back."""
        return JSONResponse({"status": "ok", "version": __version__})

    @app.get(READY, include_in_schema=False)
    async def readiness() -> JSONResponse:
        """Whether people can play: something can be stored."""
        try:
            await service.store.prove()
        except (SQLAlchemyError, DicetownError):
            raise Refused("not_ready") from None
        return JSONResponse({"status": "ok", "version": __version__})

    @app.get(METRICS, include_in_schema=False)
    async def metrics() -> Response:
        return PlainTextResponse(service.metrics.page(), media_type=FOR_PROMETHEUS)


def _refuse_in_words(app: FastAPI, service: Service) -> None:
    """Whatever is refused is said in one sentence, in the user's language."""

    def answer(request: Request, refused: Refused, problem: HTTPException | None = None) -> JSONResponse:
        service.metrics.count_refusal(refused.code)
        language = choose_language(request.query_params.get("lang"), request.headers.get("accept-language"))
        status, headers = (
            (problem.status_code, problem.headers) if problem else (refused.status, refused.headers)
        )
        return JSONResponse(msgspec.to_builtins(refused.as_wire(language)), status, headers)

    @app.exception_handler(Refused)
    async def refuse(request: Request, refused: Refused) -> JSONResponse:
        return answer(request, refused)

    @app.exception_handler(SQLAlchemyError)
    async def refuse_without_store(request: Request, problem: SQLAlchemyError) -> JSONResponse:
        service.log.info("no database", path=request.url.path, problem=reason_of(problem))
        return answer(request, Refused("not_stored" if request.method not in HARMLESS else "not_ready"))

    @app.exception_handler(Unclear)
    async def say_that_it_is_unclear(request: Request, problem: Unclear) -> JSONResponse:
        service.log.error("unclear whether stored", path=request.url.path)
        return answer(request, Refused("unclear"))

    @app.exception_handler(RequestValidationError)
    async def refuse_form(request: Request, problem: RequestValidationError) -> JSONResponse:
        first = problem.errors()[0]
        if first["type"] == "json_invalid":
            return answer(request, Refused("bad_json"))
        if first["loc"][-1] == "name":
            return answer(request, Refused("bad_name", most=LONGEST_NAME))
        what = ".".join(str(part) for part in first["loc"][1:])[:_SHOWN] or "body"
        return answer(request, Refused("bad_request", what=what))

    @app.exception_handler(HTTPException)
    async def refuse_address(request: Request, problem: HTTPException) -> Response:
        if isinstance(problem.__cause__, Refused):  # while the body was read
            return answer(request, problem.__cause__)
        codes = {404: "no_page", 405: "wrong_method"}
        if problem.status_code == 405:
            problem.headers = {"Allow": ", ".join(_methods(app, request))}
        return answer(request, Refused(codes.get(problem.status_code, "bad_json")), problem)

    @app.exception_handler(Exception)
    async def apologise(request: Request, problem: Exception) -> JSONResponse:
        service.log.error("broken", path=request.url.path, exc_info=problem)
        return answer(request, Refused("broken"))


def _methods(app: FastAPI, request: Request) -> list[str]:
    """What can be done at an address; the framework itself knows only the first of several."""
    there = [
        route
        for route in app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    ]
    return sorted({method for route in there for method in route.methods or ()})
