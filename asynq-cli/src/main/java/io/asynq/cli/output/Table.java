package io.asynq.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table as Go's program prints it: columns are as wide as their widest cell and two
 * blanks, also the last one, with a line of dashes below the titles.
 */
public final class Table {

	private static final int GAP = 2;

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
		int[] widths = new int[this.rows.get(0).size()];
		for (List<String> row : this.rows) {
			for (int column = 0; column < widths.length; column++) {
				widths[column] = Math.max(widths[column], length(row.get(column)) + GAP);
			}
		}
		for (List<String> row : this.rows) {
			StringBuilder line = new StringBuilder();
			for (int column = 0; column < widths.length; column++) {
				String cell = row.get(column);
				line.append(cell).append(" ".repeat(widths[column] - length(cell)));
			}
			out.println(line);
		}
	}

	private static int length(String text) {
		return text.codePointCount(0, text.length());
	}

}
