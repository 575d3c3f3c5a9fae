"""Players: for now one that plays anything and one that counts coins."""

from dicetown.bots.roster import BOTS, Bot, choose_as, find_bot

__all__ = ["BOTS", "Bot", "choose_as", "find_bot"]
