"""What words of general English do in instructions for an agent. No word of any domain."""

from __future__ import annotations

from benchlint.judges.offline.words import stem


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


AGENTS = _stems("agent assistant bot chatbot clerk consultant operator representative advisor adviser")
USERS = _stems(
    "user customer guest client member caller patron passenger traveller traveler shopper patient subscriber tenant"
    " student buyer borrower cardholder visitor reader person resident player driver owner friend"
)
AGENT_PRONOUNS = frozenset({"it", "we", "i"})
USER_PRONOUNS = frozenset({"he", "she", "they", "who"})

ASK = _stems(
    "ask request obtain collect gather get receive require inquire enquire prompt solicit acquire elicit take record note"
    " learn"
)
"""To get information from the user."""
CHECK = _stems(
    "check verify validate ensure confirm review determine retrieve find see locate examine inspect assess evaluate"
    " establish authenticate identify consult search look double-check query learn discover access calculate compare"
    " investigate"
)
"""To find out or to make sure."""
IDENTIFY = _stems("authenticate identify verify")
TELL = _stems(
    "inform tell explain state mention say remind clarify advise communicate reiterate repeat reaffirm describe point"
    " acknowledge reassure warn apologise apologize provide present report stress emphasise emphasize restate show note"
    " educate guide answer reply respond announce outline share disclose give"
)
"""To say something."""
CLAIM = _stems(
    "inform tell explain state mention say remind clarify communicate reiterate reaffirm describe warn restate stress"
    " emphasise emphasize note respond answer reply point acknowledge"
)
"""To say that something is so."""
LIST = _stems("list summarise summarize present review recap repeat read outline display")
REFUSE = _stems("refuse deny decline reject avoid refrain disallow forbid prohibit withhold")
UNABLE = frozenset({"unable", "impossible", "ineligible", "unavailable"})
PROCEED = _stems("proceed attempt try continue go start begin move prepare")
"""To set about something: what follows is done."""
CARRY_OUT = _stems(
    "proceed process perform complete execute finalise finalize make handle submit implement apply do conduct issue carry"
    " go continue move initiate fulfil fulfill start begin facilitate"
)
"""To do what a noun of action names."""
HELP = _stems("help assist allow enable let permit")
OFFER = _stems("offer propose suggest recommend advise")
RECOMMEND = _stems("suggest recommend advise propose")
WANT = _stems(
    "want wish like need ask request demand insist decide intend plan hope prefer try contact call write seek require"
    " expect desire inquire enquire choose opt beg"
)
"""What a user does who has a wish."""
INSIST = _stems("insist persist keep continue push argue refuse threaten repeat demand object protest press")
DISPLEASED = frozenset(
    "upset angry unhappy dissatisfied frustrated annoyed displeased impatient furious irate insistent".split()
)
CONSENT = _stems("confirm agree accept approve consent authorize authorise")
ASSENT_NOUNS = frozenset(
    "confirmation confirmations consent approval permission agreement authorization authorisation go-ahead okay ok".split()
)
GIVE = _stems("offer give issue provide grant credit compensate send pay award refund extend apply")
PERSUASIVE = INSIST | _stems("complain")

HAND_OVER = _stems("transfer hand escalate connect refer forward route redirect pass")
HUMANS = _stems(
    "human manager supervisor representative specialist staff team colleague librarian person somebody someone officer"
    " department operator employee clerk advisor adviser agent desk"
)

FACTS = _stems(
    "method id identifier number name address email date status membership reason fact eligibility identity phone code"
    " purpose passport information type"
)
"""What is verified, as against what is consented to."""

IDENTIFYING = _stems(
    "id identifier number name email address reason phone telephone code pin password passport birth birthday postcode"
    " zip dob e-mail username mail signature"
)
"""Nouns for information that a text hardly gives without naming it."""

CHANGE_SYNONYMS = (
    "change modify update edit amend alter adjust switch move reschedule upgrade downgrade revise correct",
    "cancel annul void revoke",
    "book reserve",
    "add append attach include",
    "remove delete drop strip",
    "refund reimburse",
    "renew extend prolong",
    "replace swap exchange",
    "buy purchase order",
    "close terminate",
    "open create",
    "suspend block freeze",
    "resume unblock unfreeze reactivate",
    "compensate",
)
FAMILY = {stem(word): stem(line.split()[0]) for line in CHANGE_SYNONYMS for word in line.split()}
"""The first word of a family of verbs for the same act, by stem; other verbs are families of their own."""


MAKES = frozenset(FAMILY.get(word, word) for word in _stems("book create open buy register"))
"""Families of acts by which something comes to be that has an id of its own."""


def family(stem_: str) -> str:
    """Return the family of a verb's stem."""
    return FAMILY.get(stem_, stem_)


PREPOSITIONS = frozenset(
    "about above across after against along among around as at before behind below beside between beyond by down during"
    " for from in inside into like near of off on onto out outside over past per since than through to toward under until"
    " up upon via with within without".split()
)

GENERIC = _stems(
    "action detail request process step thing matter case issue information change task option system tool database it"
    " this that them all any each other new their his her its your agent user current existing requested proposed"
    " initial following necessary required relevant explicit first further additional specific whole entire own same"
    " particular certain some one about the a an of for to in on at with by and or no not be is are was were has have"
)
"""Words that tell nothing about what an act is about."""

SKIPPED = frozenset(
    "also then first next finally now only still simply always immediately therefore thus again otherwise subsequently"
    " afterwards later soon ever often please just clearly merely instead once carefully already further accordingly both at least".split()
)
"""Adverbs between a subject and its verb. Those in -ly need not be listed."""

DETERMINERS = frozenset(
    "a an the this that these those his her its their your my our any all each every both some no one such another".split()
)
MODALS = frozenset("should must shall will would can could may might cannot needs ought".split())
AUXILIARIES = frozenset("am is are was were be been being has have had do does did".split())

COMMANDS = _stems(
    "abstain accept accommodate acknowledge act activate add address adjust advise allow amend answer apologise apologize"
    " apply approve ask assess assist attempt authenticate avoid block book buy calculate call cancel change charge check"
    " clarify close collect communicate compare compensate complete conclude confirm connect consult contact continue"
    " correct create credit deactivate decline delete deny deposit describe determine direct direct disable discuss double-check"
    " edit emphasise emphasize enable encourage end ensure escalate establish exchange execute explain extend facilitate file"
    " finalise finalize find follow forward gather generate get give go grant guide hand handle help hold identify"
    " implement inform initiate inquire insist inspect instruct issue keep let list locate log look mail make mention modify"
    " move note notify obtain offer open order outline pass pay perform permit place point present proceed process produce"
    " prompt propose provide purchase put query quote reactivate read reassure rebook receive recommend record redirect"
    " refer refrain refund refuse reimburse reiterate reject release remind remove renew repeat replace reply report"
    " request require reschedule reserve reset resolve respond resume retrieve return review revise route say schedule"
    " search see select send set share show state stay stop submit suggest summarise summarize suspend swap switch take"
    " tell thank top transfer treat try unblock update upgrade use validate verify wait waive warn withdraw withhold"
    " write split adhere refrain reaffirm learn store express maintain invite"
)
"""Verbs that agents are told to do, to see where the next part of an instruction begins."""

AMBIGUOUS = _stems(
    "act address book change charge check charge close contact cost credit deposit exchange file hand hold issue list mail"
    " name note offer order pass place point price process purchase quote record refund release report request return"
    " review schedule search show stay state stop swap switch transfer update upgrade use withdrawal stay answer call"
    " reply share move display block top set open look help log reset present file approach complete attempt guide set"
)
"""Commands that are nouns or adjectives as well."""
