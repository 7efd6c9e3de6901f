"""Tables of numbers and levels as the columns of a regression."""

import numpy


def features(task):
    """Standardised numbers and one column per level of the training rows, train then test; nan where missing."""
    columns = []
    for j, kind in enumerate(task["kinds"]):
        train = [row[j] for row in task["train"]["cells"]]
        cells = train + [row[j] for row in task["test"]["cells"]]
        if kind == "number":
            column = numpy.array(cells, dtype=float)  # null becomes nan
            seen = column[: len(train)]
            columns.append([(column - numpy.nanmean(seen)) / (numpy.nanstd(seen) or 1.0)])
            continue
        levels = sorted({cell for cell in train if cell is not None})
        hot = numpy.array([[cell == level for cell in cells] for level in levels], dtype=float)
        hot[:, [cell is None for cell in cells]] = numpy.nan
        columns.append(hot)
    return columns, len(task["train"]["cells"])


def by_mean(columns, count):
    """0 is the mean of a standardised number; the most frequent level is the column with the largest sum."""
    filled = []
    for column in map(numpy.array, columns):
        fill = numpy.zeros(len(column))
        if len(column) > 1:
            fill[numpy.argmax(numpy.nansum(column[:, :count], axis=1))] = 1.0
        filled.append(numpy.where(numpy.isnan(column), fill[:, None], column))
    return numpy.vstack(filled).T
