package io.asynq.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

import org.jline.utils.WCWidth;

/**
 * A table as Go's program prints it: columns are as wide as their widest cell and two
 * blanks, also the last one, with a line of dashes below the titles.
 */
public final class Table {

	private static final int GAP = 2;

	/** How narrow columns become before the first one gives. */
	private static final int LEAST = 10;

	private final List<List<String>> rows = new ArrayList<>();

	public Table(String... titles) {
		this(Arrays.stream(titles).mapToInt(String::length).toArray(), titles);
	}

	/**
	 * @param dashes how many dashes are below each title
	 */
	public Table(int[] dashes, String... titles) {
		this.rows.add(List.of(titles));
		this.rows.add(Arrays.stream(dashes).mapToObj("-"::repeat).toList());
	}

	/** Returns a table with as many dashes below each title. */
	public static Table withDashes(int dashes, String... titles) {
		int[] all = new int[titles.length];
		Arrays.fill(all, dashes);
		return new Table(all, titles);
	}

	/** Adds a row. Texts from Redis are passed through {@link Cell}. */
	public Table row(Object... cells) {
		this.rows.add(Arrays.stream(cells).map(String::valueOf).toList());
		return this;
	}

	public void print(PrintWriter out) {
		print(out, 0);
	}

	/**
	 * Prints it.
	 * @param columns how wide it may be, 0 for as wide as it is
	 */
	public void print(PrintWriter out, int columns) {
		print(this.rows, out, columns);
	}

	/** Prints a table of one row, as a list if it is too wide. */
	public void printRow(PrintWriter out, int columns) {
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
		if (columns > 0) {
			printWithin(rows, out, columns);
			return;
		}
		int[] widths = widths(rows, Table::length);
		for (List<String> row : rows) {
			StringBuilder line = new StringBuilder();
			for (int column = 0; column < widths.length; column++) {
				String cell = row.get(column);
				line.append(cell).append(" ".repeat(widths[column] + GAP - length(cell)));
			}
			out.println(line);
		}
	}

	/** Without Go's blanks at the end, which would begin another line. */
	private static void printWithin(List<List<String>> rows, PrintWriter out, int columns) {
		int[] widths = widths(rows, Table::columns);
		shrink(widths, columns);
		for (List<String> row : rows) {
			StringBuilder line = new StringBuilder();
			for (int column = 0; column < widths.length; column++) {
				String cell = cut(row.get(column), widths[column]);
				line.append(cell).append(" ".repeat(widths[column] + GAP - columns(cell)));
			}
			out.println(line.toString().stripTrailing());
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

	/** As Go counts. */
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
