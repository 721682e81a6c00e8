package io.asynq.cli.dash.terminal;

import java.util.List;

/**
 * Rows of columns, of which the last takes what is left.
 */
public final class Table {

	private final Canvas canvas;

	private final List<Column> columns;

	private int row;

	public Table(Canvas canvas, int row, List<Column> columns) {
		this.canvas = canvas;
		this.row = row;
		this.columns = columns;
		draw(columns.stream().map(Column::name).toList(), Tone.HEAD);
	}

	/** Adds the part of a list in which the chosen entry is. */
	public void add(List<List<String>> entries, int chosen, int rows) {
		int first = Math.max(0, chosen - rows + 1);
		for (int index = first; index < Math.min(entries.size(), first + rows); index++) {
			draw(entries.get(index), (index == chosen) ? Tone.CHOSEN : Tone.PLAIN);
		}
	}

	private void draw(List<String> cells, Tone tone) {
		if (tone != Tone.PLAIN) {
			this.canvas.tone(this.row, tone);
		}
		int at = 0;
		for (int index = 0; index < cells.size(); index++) {
			Column column = this.columns.get(index);
			String cell = cells.get(index);
			int room = (index < cells.size() - 1) ? column.width() : this.canvas.width() - at;
			int indent = column.right() ? Math.max(0, room - Harmless.width(cell)) : 0;
			this.canvas.put(this.row, at + indent, room - indent, cell, tone);
			at += room + 1;
		}
		this.row++;
	}

	/**
	 * A column.
	 *
	 * @param name its name
	 * @param width how many characters it has
	 * @param right whether it is a number
	 */
	public record Column(String name, int width, boolean right) {

		public static Column text(String name, int width) {
			return new Column(name, width, false);
		}

		public static Column number(String name, int width) {
			return new Column(name, width, true);
		}

	}

}
