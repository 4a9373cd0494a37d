"""What words of general English do in instructions for an agent. No word of any domain.

Sets in capitals hold stems, unless their name or note says words.
"""

from __future__ import annotations

from typing import Final

from benchlint.judges.offline.words import stem, stem_set, word_set

AGENTS: Final = stem_set("agent assistant bot chatbot clerk consultant operator representative advisor adviser")
USERS: Final = stem_set(
    "user customer guest client member caller patron passenger traveller traveler shopper patient subscriber"
    " tenant student buyer borrower cardholder visitor reader person resident player driver owner friend policyholder"
    " applicant taxpayer learner pupil attendee"
)
AGENT_PRONOUN_WORDS: Final = word_set("it we i")
USER_PRONOUN_WORDS: Final = word_set("he she they who")
THEM_WORDS: Final = word_set("them him her")
HUMANS: Final = stem_set(
    "human manager supervisor representative specialist staff team colleague librarian person somebody someone"
    " officer department operator employee clerk advisor adviser agent desk"
)
"""Those to whom a conversation is handed over."""

ASK: Final = stem_set(
    "ask request obtain collect gather get receive require inquire enquire prompt solicit acquire elicit take"
    " record note learn"
)
"""To get information from the user."""
CHECK: Final = stem_set(
    "check verify validate ensure confirm review determine retrieve find see locate examine inspect assess"
    " evaluate establish authenticate identify consult search look double-check query learn discover access"
    " calculate compare investigate"
)
"""To find out, or to make sure."""
IDENTIFY: Final = stem_set("authenticate identify verify")
TELL: Final = stem_set(
    "inform tell explain state mention say remind clarify advise communicate reiterate repeat reaffirm describe"
    " point acknowledge reassure warn apologise apologize provide present report stress emphasise emphasize"
    " restate show note educate guide answer reply respond announce outline share disclose give"
)
CLAIM: Final = stem_set(
    "inform tell explain state mention say remind clarify communicate reiterate reaffirm describe warn restate"
    " stress emphasise emphasize note respond answer reply point acknowledge"
)
"""To say that something is so."""
LIST: Final = stem_set("list summarise summarize present review recap repeat read outline display")
REFUSE: Final = stem_set("refuse deny decline reject avoid refrain disallow forbid prohibit withhold")
PROCEED: Final = stem_set("proceed attempt try continue go start begin prepare")
"""To set about something: what follows is done."""
CARRY_OUT: Final = stem_set(
    "proceed process perform complete execute finalise finalize make handle submit implement apply do conduct"
    " issue carry go continue initiate fulfil fulfill start begin facilitate"
)
"""To do what a noun of action names."""
HELP: Final = stem_set("help assist allow enable let permit")
OFFER: Final = stem_set("offer propose suggest recommend advise")
RECOMMEND: Final = stem_set("suggest recommend advise propose")
GIVE: Final = stem_set("offer give issue provide grant credit compensate send pay award refund extend apply")
HAND_OVER: Final = stem_set("transfer hand escalate connect refer forward route redirect pass")
WANT: Final = stem_set(
    "want wish like need ask request demand insist decide intend plan hope prefer try contact call write seek"
    " require expect desire inquire enquire choose opt beg"
)
"""What a user does who has a wish."""
INSIST: Final = stem_set("insist persist keep continue push argue refuse threaten repeat demand object protest press")
CONSENT: Final = stem_set("confirm agree accept approve consent authorize authorise")
ASSENT_WORDS: Final = word_set(
    "yes confirmation confirmations consent approval permission agreement authorization authorisation go-ahead okay ok"
)
UNABLE_WORDS: Final = word_set("unable impossible ineligible unavailable")
TALK: Final = ASK | TELL | REFUSE | LIST | OFFER | CHECK | CONSENT

FACTS: Final = stem_set(
    "method id identifier number name address email date status membership reason fact eligibility identity phone"
    " code purpose passport information type"
)
"""What is verified, as against what is consented to."""
IDENTIFYING: Final = stem_set(
    "id identifier number name email address reason phone telephone code pin password passport birth birthday"
    " postcode zip dob username mail signature"
)
"""Information that a text hardly gives without naming it."""

_SYNONYMS: Final = (
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
)
_FAMILY: Final = {stem(word): stem(line.split()[0]) for line in _SYNONYMS for word in line.split()}


def family(name: str) -> str:
    """Return what verbs for the same act share, given the stem of one; other stems are returned as they are."""
    return _FAMILY.get(name, name)


MAKES: Final = frozenset(map(family, stem_set("book create buy register")))
"""Families of acts by which something comes to be that has an id of its own."""

GENERIC: Final = stem_set(
    "action detail request process step thing matter case issue information change task option system tool"
    " database it this that these those them all any each other new their his her its your agent user current"
    " existing requested proposed initial following necessary required relevant explicit first further additional"
    " specific whole entire own same particular certain some one about the a an of for to in on at with by and or"
    " no not be is are was were has have"
)
"""Words that tell nothing about what an act is about."""

PREPOSITION_WORDS: Final = word_set(
    "about above across after against along among around as at before behind below beside between beyond by down"
    " during for from in inside into like near of off on onto out outside over past per since than through to"
    " toward under until up upon via with within without"
)
DETERMINER_WORDS: Final = word_set(
    "a an the this that these those his her its their your my our any all each every both some no one such another"
)
EVERY_WORDS: Final = word_set("any each every throughout")
"""What makes a sentence speak of every change, and of none in particular."""
MODAL_WORDS: Final = word_set("should must shall will would can could may might cannot needs ought")
AUXILIARY_WORDS: Final = word_set("am is are was were be been being has have had do does did")
FINITE_WORDS: Final = MODAL_WORDS | AUXILIARY_WORDS
ADVERB_WORDS: Final = word_set(
    "also then first next finally now only still simply always immediately therefore thus again otherwise"
    " subsequently afterwards later soon ever often please just clearly merely instead once carefully already"
    " further accordingly both at least"
)
"""Adverbs between a subject and its verb. Those in -ly need not be listed."""
COORDINATOR_WORDS: Final = word_set("and or but then nor so &")

COMMANDS: Final = stem_set(
    "abstain accept accommodate acknowledge act activate add address adhere adjust advise allow amend answer"
    " apologise apologize apply approve ask assess assist attempt authenticate avoid block book buy calculate call"
    " cancel change charge check clarify close collect communicate compare compensate complete conclude confirm"
    " connect consult contact continue correct create credit deactivate decline delete deny deposit describe"
    " determine direct disable discuss double-check edit email emphasise emphasize enable encourage end ensure"
    " escalate establish exchange execute explain express extend facilitate file finalise finalize find follow"
    " forward gather generate get give go grant guide hand handle help hold identify implement inform initiate"
    " inquire insist inspect instruct invite issue keep learn let list locate log look mail maintain make mention"
    " modify move note notify obtain offer open order outline pass pay perform permit place point present proceed"
    " process produce prompt propose provide purchase put query quote reactivate read reaffirm reassure rebook"
    " receive recommend record redirect refer refrain refund refuse reimburse reiterate reject release remind"
    " remove renew repeat replace reply report request require reschedule reserve reset resolve respond resume"
    " retrieve return review revise route say schedule search see select send set share show split state stay stop"
    " store submit suggest summarise summarize suspend swap switch take tell thank top transfer treat try unblock"
    " update upgrade use validate verify wait waive warn withdraw withhold write"
)
"""Verbs that agents are told to do, to see where the next part of an instruction begins."""
AMBIGUOUS: Final = stem_set(
    "act address answer approach attempt block book call change charge check close complete contact cost credit"
    " deposit display exchange file guide hand help hold issue list log look mail move name note offer open order"
    " pass place point present price process purchase quote record refund release reply report request reset"
    " return review schedule search set share show state stay stop swap switch top transfer update upgrade use"
)
"""Commands that are nouns or adjectives as well."""


def is_adverb(lower: str) -> bool:
    """Say whether a word in lower case may stand between a subject and its verb."""
    return lower in ADVERB_WORDS or (
        lower.endswith("ly") and len(lower) > 4 and lower not in ("apply", "reply", "supply")
    )


def is_assent(lower: str) -> bool:
    """Say whether a word in lower case names the user's consent."""
    return lower in ASSENT_WORDS
