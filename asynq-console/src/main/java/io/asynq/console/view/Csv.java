package io.asynq.console.view;

import org.jspecify.annotations.Nullable;

/**
 * Writes a table that spreadsheets read, without letting a cell become a formula.
 */
final class Csv {

	private final StringBuilder text = new StringBuilder();

	void row(@Nullable Object... cells) {
		for (int i = 0; i < cells.length; i++) {
			this.text.append((i > 0) ? "," : "").append(cell(cells[i]));
		}
		this.text.append("\r\n");
	}

	String text() {
		return this.text.toString();
	}

	private static String cell(@Nullable Object value) {
		if (value == null) {
			return "";
		}
		String cell = value.toString();
		if (!(value instanceof Number) && !cell.isEmpty() && "=+-@\t\r".indexOf(cell.charAt(0)) >= 0) {
			cell = "'" + cell;
		}
		return cell.matches("(?s).*[\",\r\n\t].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
	}

}
