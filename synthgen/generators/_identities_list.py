"""The identities: one a line, with name, family, and its two sides.

The number of an identity is its place in the list, and families are mixed, so that the first k and
the others are alike. New ones go to the end; names are symbols of derivations and stay. Each holds
for all real values of its meta-variables a, b, c, d for which both sides are defined: logarithms,
and powers whose exponent is no written number, of positive values only.
"""

from __future__ import annotations

from dataclasses import dataclass

_LISTED = """
difference_of_squares algebra a^2 - b^2 = (a - b) * (a + b)
sine_of_double trigonometry sin(2 * a) = 2 * sin(a) * cos(a)
add_fractions fractions a / b + c / d = (a * d + b * c) / (b * d)
multiply_powers powers a^b * a^c = a^(b + c)
square_of_sum algebra (a + b)^2 = a^2 + 2 * a * b + b^2
log_of_product logarithms log(a * b) = log(a) + log(b)
hyperbolic_pythagoras hyperbolic cosh(a)^2 - sinh(a)^2 = 1
multiply_exps exponentials exp(a) * exp(b) = exp(a + b)
pythagoras trigonometry sin(a)^2 + cos(a)^2 = 1
root_of_product roots sqrt(a * b) = sqrt(a) * sqrt(b)
distribute_over_sum algebra a * (b + c) = a * b + a * c
divide_by_fraction fractions a / (b / c) = a * c / b
sine_of_sum trigonometry sin(a + b) = sin(a) * cos(b) + cos(a) * sin(b)
square_of_difference algebra (a - b)^2 = a^2 - 2 * a * b + b^2
power_of_power powers (a^b)^c = a^(b * c)
absolute_product absolute abs(a * b) = abs(a) * abs(b)
quotient_to_tangent trigonometry sin(a) / cos(a) = tan(a)
sum_of_cubes algebra a^3 + b^3 = (a + b) * (a^2 - a * b + b^2)
log_of_power logarithms log(a^b) = b * log(a)
sinh_of_double hyperbolic sinh(2 * a) = 2 * sinh(a) * cosh(a)
split_fraction fractions (a + b) / c = a / c + b / c
exp_of_difference exponentials exp(a - b) = exp(a) / exp(b)
cosine_of_double trigonometry cos(2 * a) = cos(a)^2 - sin(a)^2
factor_from_sum algebra a * b + a * c = a * (b + c)
subtract_sum algebra a - (b + c) = a - b - c
sum_of_sines trigonometry sin(a) + sin(b) = 2 * sin((a + b) / 2) * cos((a - b) / 2)
power_of_product powers (a * b)^c = a^c * b^c
multiply_fractions fractions a / b * (c / d) = a * c / (b * d)
root_of_square roots sqrt(a^2) = abs(a)
product_of_sums algebra (a + b) * (c + d) = a * c + a * d + b * c + b * d
difference_of_logs logarithms log(a) - log(b) = log(a / b)
cosh_plus_sinh hyperbolic cosh(a) + sinh(a) = exp(a)
square_of_sine trigonometry sin(a)^2 = (1 - cos(2 * a)) / 2
cube_of_sum algebra (a + b)^3 = a^3 + 3 * a^2 * b + 3 * a * b^2 + b^3
exp_of_log_multiple exponentials exp(a * log(b)) = b^a
add_reciprocals fractions 1 / a + 1 / b = (a + b) / (a * b)
cosine_of_sum trigonometry cos(a + b) = cos(a) * cos(b) - sin(a) * sin(b)
reciprocal_of_power powers 1 / a^b = a^(0 - b)
complete_the_square algebra a^2 + 2 * a * b = (a + b)^2 - b^2
tangent_of_sum trigonometry tan(a + b) = (tan(a) + tan(b)) / (1 - tan(a) * tan(b))
distribute_over_difference algebra a * (b - c) = a * b - a * c
log_of_quotient logarithms log(a / b) = log(a) - log(b)
sinh_of_sum hyperbolic sinh(a + b) = sinh(a) * cosh(b) + cosh(a) * sinh(b)
fraction_of_fraction fractions a / b / c = a / (b * c)
product_of_sines trigonometry sin(a) * sin(b) = (cos(a - b) - cos(a + b)) / 2
polarization algebra (a + b)^2 - (a - b)^2 = 4 * a * b
divide_powers powers a^b / a^c = a^(b - c)
rational_denominator roots 1 / (sqrt(a) + sqrt(b)) = (sqrt(a) - sqrt(b)) / (a - b)
square_of_absolute absolute abs(a)^2 = a^2
power_of_exp exponentials exp(a)^b = exp(a * b)
regroup_sum algebra a + b + c = a + (b + c)
sine_of_triple trigonometry sin(3 * a) = 3 * sin(a) - 4 * sin(a)^3
partial_fractions fractions 1 / (a * (a + 1)) = 1 / a - 1 / (a + 1)
brahmagupta algebra (a^2 + b^2) * (c^2 + d^2) = (a * c - b * d)^2 + (a * d + b * c)^2
log_of_root logarithms log(sqrt(a)) = log(a) / 2
quotient_to_tanh hyperbolic sinh(a) / cosh(a) = tanh(a)
sine_of_difference trigonometry sin(a - b) = sin(a) * cos(b) - cos(a) * sin(b)
difference_of_cubes algebra a^3 - b^3 = (a - b) * (a^2 + a * b + b^2)
power_of_quotient powers (a / b)^c = a^c / b^c
subtract_fractions fractions a / b - c / d = (a * d - b * c) / (b * d)
tangent_of_double trigonometry tan(2 * a) = 2 * tan(a) / (1 - tan(a)^2)
exp_of_sum exponentials exp(a + b) = exp(a) * exp(b)
subtract_difference algebra a - (b - c) = a - b + c
product_of_cosines trigonometry cos(a) * cos(b) = (cos(a - b) + cos(a + b)) / 2
parallelogram algebra (a + b)^2 + (a - b)^2 = 2 * (a^2 + b^2)
sum_of_logs logarithms log(a) + log(b) = log(a * b)
cosh_of_double hyperbolic cosh(2 * a) = cosh(a)^2 + sinh(a)^2
root_of_quotient roots sqrt(a / b) = sqrt(a) / sqrt(b)
add_to_fraction fractions a + b / c = (a * c + b) / c
multiply_by_itself powers a * a = a^2
secant_square trigonometry 1 + tan(a)^2 = 1 / cos(a)^2
cube_of_difference algebra (a - b)^3 = a^3 - 3 * a^2 * b + 3 * a * b^2 - b^3
factor_from_difference algebra a * c - b * c = (a - b) * c
cosine_of_triple trigonometry cos(3 * a) = 4 * cos(a)^3 - 3 * cos(a)
exp_of_double exponentials exp(2 * a) = exp(a)^2
divide_fractions fractions a / b / (c / d) = a * d / (b * c)
product_of_conjugates algebra (a + b) * (a - b) = a^2 - b^2
log_of_exp logarithms log(exp(a)) = a
tanh_square hyperbolic 1 - tanh(a)^2 = 1 / cosh(a)^2
square_of_cosine trigonometry cos(a)^2 = (1 + cos(2 * a)) / 2
split_power powers a^(b + c) = a^b * a^c
absolute_difference absolute abs(a - b) = abs(b - a)
difference_of_fourth_powers algebra a^4 - b^4 = (a - b) * (a + b) * (a^2 + b^2)
common_denominator fractions a / c - b / c = (a - b) / c
cosine_of_difference trigonometry cos(a - b) = cos(a) * cos(b) + sin(a) * sin(b)
sophie_germain algebra a^4 + 4 * b^4 = ((a + b)^2 + b^2) * ((a - b)^2 + b^2)
square_of_root roots sqrt(a)^2 = a
sine_times_cosine trigonometry sin(a) * cos(b) = (sin(a + b) + sin(a - b)) / 2
reciprocal_of_exp exponentials 1 / exp(a) = exp(0 - a)
regroup_product algebra a * b * c = a * (b * c)
log_of_reciprocal logarithms log(1 / a) = 0 - log(a)
cosh_of_sum hyperbolic cosh(a + b) = cosh(a) * cosh(b) + sinh(a) * sinh(b)
square_times_base powers a^2 * a = a^3
cancel_factor fractions a * c / (b * c) = a / b
sum_of_cosines trigonometry cos(a) + cos(b) = 2 * cos((a + b) / 2) * cos((a - b) / 2)
add_twice algebra a + a = 2 * a
"""


@dataclass(frozen=True)
class Identity:
    """One identity.

    Attributes:
        name: its symbol in derivations.
        family: branch of mathematics.
        text: both sides in the notation of prompts, `LHS = RHS`.
    """

    name: str
    family: str
    text: str

    @property
    def sides(self) -> tuple[str, str]:
        """Left and right side."""
        left, _, right = self.text.partition(" = ")
        return left, right


def _read(line: str) -> Identity:
    name, family, text = line.split(" ", 2)
    return Identity(name, family, text)


IDENTITIES = tuple(map(_read, _LISTED.split("\n")[1:-1]))
NAMES = tuple(identity.name for identity in IDENTITIES)
FAMILIES = tuple(dict.fromkeys(identity.family for identity in IDENTITIES))
