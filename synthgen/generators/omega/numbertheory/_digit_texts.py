"""The wordings of `numbertheory_qr_sum`: a property, an extreme number, and what is asked of it."""

from __future__ import annotations

PROPERTIES = {
    "change_one": (
        "replacing any one of its digits by {t} gives a multiple of {v}, whichever digit is chosen,"
        " even one that is {t} already"
    ),
    "change_two": (
        "replacing any two of its digits by {t} gives a multiple of {v}, whichever two are chosen,"
        " even if some of them are {t} already"
    ),
    "swap": (
        "exchanging any two neighbouring digits gives a multiple of {v}, whichever two are chosen,"
        " even if they are equal or if a zero comes to the front"
    ),
    "alternating": (
        "the alternating sum of its digits (the first digit minus the second plus the third and so"
        " on) is divisible by {v}"
    ),
    "digit_sum": "the sum of its digits is divisible by {v}",
    "reverse": (
        "both the number itself and the number that arises when its digits are read from right to"
        " left (without zeros that come to the front) are divisible by {v}"
    ),
}
"""What a number is to have, with its digit `t` and divisor `v`."""
PROPERTIES["chained"] = PROPERTIES["change_one"]

FRAMES = (
    "Let N be the {rank} positive integer with {d} digits such that {property}.",
    "Consider all positive integers of exactly {d} digits for which the following is true:"
    " {property}. Let N be the {rank} one of them.",
    "A positive integer with {d} digits is called tame if {property}. The {rank} tame number is"
    " called N.",
    "Among the {d}-digit positive integers, look at those with this property: {property}. The"
    " {rank} among them is N.",
)

CHAINS = (
    "Let S be the least common multiple of those digits of N that are not zero, and let M be the"
    " largest positive integer with {e} digits such that both M and the number that arises when the"
    " digits of M are read from right to left are divisible by S.",
    "Let S be the smallest positive integer that is divisible by each digit of N other than zero."
    " Let M be the largest positive integer of exactly {e} digits for which S divides both M and"
    " the number that its digits form in reverse order.",
    "S is the least common multiple of the digits of N, zeros left out. The largest positive"
    " integer with {e} digits that is a multiple of S and remains one when its digits are written"
    " in reverse order is called M.",
    "Take the least common multiple S of all non-zero digits of N. Among the {e}-digit positive"
    " integers that are divisible by S and whose digits, read from right to left, also form a"
    " number divisible by S, the largest is M.",
)

ASKS = {
    "quotient_plus_remainder": (
        "Divide {name} by {ten} with remainder, and give the sum of quotient and remainder as an"
        " integer.",
        "What is the sum of the quotient and the remainder when {name} is divided by {ten} in"
        " integers? Answer with an integer.",
        "Let Q be the whole quotient of {name} and {ten}, and let R be the remainder. Find Q + R,"
        " an integer.",
        "With {name} = Q * {ten} + R, where Q and R are integers, R is not negative and R is less"
        " than {ten}, what is Q + R? The answer is an integer.",
    ),
    "remainder": (
        "Give the remainder of {name} on division by {ten} as an integer.",
        "What remains when {name} is divided by {ten} in integers? Answer with an integer, without"
        " zeros in front.",
        "Let R be the remainder of {name} modulo {ten}. Find R, an integer.",
        "With {name} = Q * {ten} + R, where Q and R are integers, R is not negative and R is less"
        " than {ten}, what is R? The answer is an integer.",
    ),
    "number": (
        "Give {name} as an integer.",
        "What is {name}? Answer with an integer.",
        "Find {name}, an integer.",
        "Which number is {name}? The answer is an integer.",
    ),
}
