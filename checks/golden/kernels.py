"""Golden values of packages/suffice/src/kernels and random.ts.

    python3 -m venv venv && venv/bin/pip install mpmath==1.4.1 numpy==2.4.6
    venv/bin/python golden/kernels.py > golden/kernels.json          the committed points
    venv/bin/python golden/kernels.py 20000 > errors.json    for the errors stated in the sources

Functions: per function a flat list x, y, rest, x, y, rest, ...; y is the double nearest to f(x) and y + rest is
f(x) to 20 digits, both from mpmath at 50 digits. gammaAbove has two arguments: a, x, y, rest, ... Dice: per seed the first words of xoshiro128** seeded through
NumPy's SeedSequence, an implementation that shares no code with ours.
"""

import json
import random
import struct
import sys

from mpmath import digamma, erfc, exp, expm1, gammainc, log, log1p, loggamma, mp, mpf, pi, quad, sqrt
from numpy.random import SeedSequence

mp.dps = 50
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 300
SMALLEST_NORMAL = 2.2250738585072014e-308
draw = random.Random(1993)


def spread(*parts):
    """COUNT points: each part is (low, high, how), how = flat or by magnitude."""
    points = []
    for i in range(COUNT):
        low, high, how = parts[i % len(parts)]
        u = draw.random()
        points.append(low + (high - low) * u if how == "flat" else float(mpf(low) * (mpf(high) / low) ** u))
    return points


def normal_cdf(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def normal_quantile(p):
    if p > 0.5:
        return -normal_quantile(1 - p)
    if p == 0.5:
        return mpf(0)
    x = -sqrt(-2 * log(p)) if p < 0.1 else mpf(0)
    for _ in range(200):  # Newton on ln cdf, which is concave
        cdf = normal_cdf(x)
        step = (log(cdf) - log(p)) * cdf * sqrt(2 * pi) * exp(x * x / 2)
        x -= step
        if abs(step) < mpf(10) ** -40:
            return x
    raise ValueError(p)


def gamma_above(a, x):
    """Q(a, x) by mpmath; where a is large by quadrature over s, t = a + s sqrt(a), checked against mpmath at 200 ≤ a < 1000."""
    if a < 1000:
        exact = gammainc(a, x, mp.inf, regularized=True)
        if a < 200:
            return exact
    root = sqrt(a)
    start = (x - a) / root
    log_density = lambda s: (a - 1) * log1p(s / root) - root * s
    top = log_density(start)
    above = start > 0
    ends = [start + (k if above else -k) * mpf(0.75) for k in range(56)]
    mass = quad(lambda s: exp(log_density(s) - top), [s for s in ends if s > -root])  # quad's errors are absolute
    mass *= exp(top + (a - 1) * log(a) - a + log(root) - loggamma(a))
    value = mass if above else 1 + mass
    if a < 1000:
        assert abs(value - exact) < mpf(10) ** -30 * (exact if above else 1), (a, x)
    return value


def gamma_table():
    """Whole a, as for counts: around a in units of sqrt(a), and at any ratio where a is small."""
    flat = []
    for i in range(COUNT // 2):
        a = float(int(10 ** (draw.random() * (15.95 if i % 2 else 3.3))))
        x = float(a + sqrt(mpf(a)) * (16 * draw.random() - 8)) if i % 3 else a * 10 ** (2 * draw.random() - 1)
        if x <= 0 or a > 5000 and i % 3 == 0:
            continue
        exact = gamma_above(mpf(a), mpf(x))
        y = float(exact)
        if y > SMALLEST_NORMAL:
            flat += [a, x, y, float("%.4g" % float(exact - y))]
    return flat


def table(f, points):
    flat = []
    for x in points:
        exact = f(mpf(x))
        y = float(exact)
        if 0 < abs(y) < SMALLEST_NORMAL:
            continue
        flat += [x, y, float("%.4g" % float(exact - y))]
    return flat


def both_signs(points):
    return [x if i % 2 else -x for i, x in enumerate(points)]


def rotate(x, k):
    return ((x << k) | (x >> (32 - k))) & 0xFFFFFFFF


def xoshiro(s, count):
    words = []
    for _ in range(count):
        words.append(rotate(s[1] * 5 & 0xFFFFFFFF, 7) * 9 & 0xFFFFFFFF)
        t = s[1] << 9 & 0xFFFFFFFF
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 11)
    return words


def dice(purpose, numbers):
    entropy = [purpose, len(numbers)]
    for x in numbers:
        entropy += struct.unpack(">II", struct.pack(">d", x))
    return [int(word) for word in SeedSequence(entropy).generate_state(4)]


def dice_table():
    rows = []
    for seed in [[0], [1], [-1], [0.5], [2.0**32 + 1], [1e300], [], [1, 2], [2, 1], [1, 2, 0]]:
        state = dice(1, seed)
        fork = dice(2, state + [7])
        rows.append({"seed": seed, "words": xoshiro(state, 8), "fork7": xoshiro(fork, 4)})
    return rows


POSITIVE = [(1e-300, 1e300, "magnitude"), (0, 3, "flat"), (0, 20, "flat"), (1, 1e6, "magnitude")]

golden = {
    "exp": table(exp, spread((-708.39, 709.78, "flat"), (-30, 1, "flat"), (-1, 1, "flat"))
                 + both_signs(spread((1e-20, 1, "magnitude")))),
    "expm1": table(expm1, spread((-45, 5, "flat"), (-1, 1, "flat"), (-40, 709.78, "flat"))
                   + both_signs(spread((1e-300, 1, "magnitude")))),
    "log": table(log, spread((0.5, 2, "flat"), (0.99, 1.01, "flat"), (1e-300, 1e300, "magnitude"), (0, 1, "flat"),
                             (1e-5, 1e5, "magnitude")) + [5e-324, 1e-310, 1.7976931348623157e308, 1.0]),
    "log1p": table(log1p, spread((-0.999, 3, "flat"), (1e-300, 1e300, "magnitude"), (-0.5, 0.5, "flat"))
                   + both_signs(spread((1e-300, 0.9, "magnitude")))),
    "logGamma": table(loggamma, spread(*POSITIVE,
                                       (0.99, 1.01, "flat"), (1.99, 2.01, "flat")) + [0.5, 1.0, 1.5, 2.0, 2.5, 10.0]),
    "logFactorial": table(lambda n: loggamma(n + 1), list(range(0, 300, 7)) + [255, 256, 257, 10**4, 10**9, 10**15]),
    "digamma": table(digamma, spread(*POSITIVE,
                                     (1.45, 1.47, "flat"))),
    "normalCdf": table(normal_cdf, spread((-37.5, 9, "flat"), (-6, 6, "flat"), (-1, 1, "flat"))
                       + both_signs(spread((1e-300, 1, "magnitude")))),
    "normalQuantile": table(normal_quantile, spread((1e-307, 0.5, "magnitude"), (0, 1, "flat"), (0.49, 0.51, "flat"),
                                                    (0.999, 1, "flat"))),
    "gammaAbove": gamma_table(),
    "dice": dice_table(),
}
print(json.dumps(golden, separators=(",", ":")))
