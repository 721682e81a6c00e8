package io.asynq.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

import org.jline.utils.WCWidth;
import org.jspecify.annotations.Nullable;

/**
 * A table as Go's program prints it: columns are as wide as their widest cell and two
 * blanks, also the last one, with a line of dashes below the titles.
 */
final class Table {

	private static final int GAP = 2;

	/** How narrow columns become before the first one gives. */
	private static final int LEAST = 10;

	private final List<List<String>> rows = new ArrayList<>();

	Table(String... titles) {
		this(-1, titles);
	}

	/**
	 * As many dashes are below each title, as many as it is long if {@code dashes} is
	 * negative.
	 */
	Table(int dashes, String... titles) {
		this.rows.add(List.of(titles));
		this.rows
			.add(Arrays.stream(titles).map((title) -> "-".repeat((dashes >= 0) ? dashes : title.length())).toList());
	}

	Table row(@Nullable Object... cells) {
		this.rows.add(Arrays.stream(cells)
			.map((cell) -> (cell == null || cell instanceof String) ? Cell.text((String) cell) : cell.toString())
			.toList());
		return this;
	}

	void print(PrintWriter out) {
		print(out, 0);
	}

	void print(PrintWriter out, int columns) {
		print(this.rows, out, columns);
	}

	/** Prints a table of one row, as a list if it is too wide. */
	void printRow(PrintWriter out, int columns) {
		int[] widths = widths(this.rows, Table::columns);
		if (columns == 0 || total(widths) <= columns) {
			print(out, columns);
			return;
		}
		print(IntStream.range(0, widths.length)
			.mapToObj((column) -> List.of(this.rows.get(0).get(column), this.rows.get(2).get(column)))
			.toList(), out, columns);
	}

	private static void print(List<List<String>> rows, PrintWriter out, int columns) {
		boolean fitting = columns > 0;
		ToIntFunction<String> length = fitting ? Table::columns : Table::length;
		int[] widths = widths(rows, length);
		if (fitting) {
			shrink(widths, columns);
		}
		for (List<String> row : rows) {
			StringBuilder line = new StringBuilder();
			for (int column = 0; column < widths.length; column++) {
				String cell = fitting ? cut(row.get(column), widths[column]) : row.get(column);
				line.append(cell).append(" ".repeat(widths[column] + GAP - length.applyAsInt(cell)));
			}
			// Go's blanks at the end would begin another line of a terminal
			out.println(fitting ? line.toString().stripTrailing() : line);
		}
	}

	private static int[] widths(List<List<String>> rows, ToIntFunction<String> length) {
		int[] widths = new int[rows.get(0).size()];
		for (List<String> row : rows) {
			for (int column = 0; column < widths.length; column++) {
				widths[column] = Math.max(widths[column], length.applyAsInt(row.get(column)));
			}
		}
		return widths;
	}

	private static int total(int[] widths) {
		return Arrays.stream(widths).sum() + GAP * (widths.length - 1);
	}

	/** The first column, by which a row is named, gives when the others have given. */
	private static void shrink(int[] widths, int columns) {
		for (int excess = total(widths) - columns; excess > 0; excess--) {
			int longest = longest(widths, 1);
			if (longest < 0 || widths[longest] <= LEAST) {
				longest = longest(widths, 0);
			}
			if (widths[longest] == 1) {
				return;
			}
			widths[longest]--;
		}
	}

	private static int longest(int[] widths, int from) {
		return IntStream.range(from, widths.length)
			.boxed()
			.max(Comparator.comparingInt((column) -> widths[column]))
			.orElse(-1);
	}

	private static String cut(String cell, int width) {
		if (columns(cell) <= width) {
			return cell;
		}
		boolean dashes = cell.chars().allMatch((c) -> c == '-');
		int end = 0;
		int used = dashes ? 0 : 1;
		while (used + columns(cell.codePointAt(end)) <= width) {
			used += columns(cell.codePointAt(end));
			end += Character.charCount(cell.codePointAt(end));
		}
		return cell.substring(0, end) + (dashes ? "" : "…");
	}

	private static int length(String text) {
		return text.codePointCount(0, text.length());
	}

	private static int columns(String text) {
		return text.codePoints().map(Table::columns).sum();
	}

	/** Of a terminal, in which some characters take two. */
	private static int columns(int codePoint) {
		return Math.max(0, WCWidth.wcwidth(codePoint));
	}

}
