"""Writes clinic.ods, as spreadsheet programs write it: pip install odfpy==1.4.1; python clinic.py"""

from odf.office import Annotation
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import CoveredTableCell, Table, TableCell, TableColumn, TableHeaderRows, TableRow
from odf.text import LineBreak, P, S, Span

document = OpenDocumentSpreadsheet()


def text(words, **attributes):
    cell = TableCell(valuetype="string", **attributes)
    for paragraph in words.split("\n"):
        cell.addElement(P(text=paragraph))
    return cell


def number(value, shown, kind="float", **attributes):
    cell = TableCell(valuetype=kind, value=value, **attributes)
    cell.addElement(P(text=shown))
    return cell


def date(value, shown):
    cell = TableCell(valuetype="date", datevalue=value)
    cell.addElement(P(text=shown))
    return cell


def boolean(value):
    cell = TableCell(valuetype="boolean", booleanvalue=value)
    cell.addElement(P(text="WAHR" if value == "true" else "FALSCH"))
    return cell


def row(*cells, **attributes):
    made = TableRow(**attributes)
    for cell in cells:
        made.addElement(cell)
    return made


visits = Table(name="visits")
visits.addElement(TableColumn(numbercolumnsrepeated=16384))
# a title over merged cells, and an empty row
visits.addElement(row(text("Clinic, spring", numbercolumnsspanned=6), CoveredTableCell(numbercolumnsrepeated=5)))
visits.addElement(row(TableCell(numbercolumnsrepeated=16384)))
header = TableHeaderRows()
header.addElement(row(*[text(name) for name in ["day", "ward", "weight", "share", "paid", "again", "remark"]]))
visits.addElement(header)

# a comment on a cell, blanks, a line break and text in several styles are part of a spreadsheet too
remark = TableCell(valuetype="string")
comment = Annotation()
comment.addElement(P(text="who wrote this?"))
remark.addElement(comment)
paragraph = P(text="two")
paragraph.addElement(S(c=2))
paragraph.addElement(Span(text="blanks"))
paragraph.addElement(LineBreak())
paragraph.addText("& <more>")
remark.addElement(paragraph)

visits.addElement(
    row(
        date("2024-01-31", "31.01.24"),
        text("Süd"),
        number(71.125, "71,1"),
        number(0.125, "13 %", "percentage"),
        number(1234.5, "1.234,50 €", "currency"),
        boolean("true"),
        remark,
        TableCell(numbercolumnsrepeated=16377),
    )
)
# the day and the weight are not known
visits.addElement(
    row(
        TableCell(),
        text("Nord"),
        TableCell(),
        number(0.5, "50 %", "percentage"),
        number(80, "80,00 €", "currency"),
        boolean("false"),
    )
)
# equal cells and equal rows are written once
visits.addElement(
    row(
        date("2024-02-29", "29.02.24"),
        text("Süd"),
        number(1, "1", numbercolumnsrepeated=3),
        boolean("false"),
        numberrowsrepeated=2,
    )
)
visits.addElement(row(TableCell(numbercolumnsrepeated=16384), numberrowsrepeated=1048570))
document.spreadsheet.addElement(visits)

wards = Table(name="wards")
wards.addElement(row(text("ward"), text("opened"), text("beds")))
wards.addElement(row(text("Süd"), date("2024-02-03T17:05:00", "03.02.24 17:05"), number(12, "12")))
wards.addElement(row(text("Nord"), date("2024-02-04T00:00:00", "04.02.24"), number(9, "9")))
document.spreadsheet.addElement(wards)
document.spreadsheet.addElement(Table(name="notes"))

document.save("clinic.ods")
