package io.asynq.cli.dash;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.TaskState;
import io.asynq.cli.dash.terminal.Canvas;
import io.asynq.cli.dash.terminal.Figures;
import io.asynq.cli.dash.terminal.Table;
import io.asynq.cli.dash.terminal.Table.Column;
import io.asynq.cli.dash.terminal.Tone;
import io.asynq.inspect.QueueInfo;

/**
 * Draws all queues.
 */
final class QueuesScreen {

	/** Colours are not for everybody, so each state has its letter. */
	private static final String LETTERS = "apgsrxc";

	private static final int NAME = 17;

	private QueuesScreen() {
	}

	static String title(Reading.Queues queues, Position position) {
		int pages = Math.max(1, (queues.count() + position.part().rows() - 1) / position.part().rows());
		return Figures.count(queues.count()) + ((queues.count() == 1) ? " queue" : " queues")
				+ ((queues.unreadable() > 0) ? ", " + queues.unreadable() + " of this page unreadable" : "")
				+ ((pages > 1) ? ", page " + position.part().number() + " of " + pages : "");
	}

	static void draw(Canvas canvas, Reading.Queues queues, int chosen) {
		int at = 0;
		for (TaskState state : Dash.TABS) {
			at = canvas.put(1, at, letter(state) + " ", Tone.of(state));
			at = canvas.put(1, at, state.wireName() + " ", Tone.FAINT);
		}
		int bars = Layout.bars(canvas.height());
		int first = Math.max(0, chosen - bars + 1);
		long largest = queues.lines().stream().mapToLong((line) -> line.info().size()).max().orElse(0);
		for (int index = 0; index < Math.min(bars, queues.size() - first); index++) {
			bar(canvas, 2 + index, queues.lines().get(first + index).info(), largest);
		}
		int queue = Math.max(10, canvas.width() - 63);
		Table table = new Table(canvas, 2 + bars,
				List.of(Column.text("Queue", queue), Column.text("State", 6), Column.number("Size", 7),
						Column.number("Latency", 7), Column.number("MemoryUsage", 11), Column.number("Processed", 9),
						Column.number("Failed", 7), Column.number("ErrorRate", 9)));
		table.add(queues.lines().stream().map((line) -> cells(line, queues.served())).toList(), chosen,
				Layout.rows(Place.Kind.QUEUES, canvas.height()));
	}

	static char letter(TaskState state) {
		return LETTERS.charAt(Dash.TABS.indexOf(state));
	}

	private static List<String> cells(Reading.Line line, Set<String> served) {
		QueueInfo info = line.info();
		return List.of(info.queue(), state(info, served), Figures.count(info.size()), Figures.duration(info.latency()),
				Figures.bytes(line.memory()), Figures.count(info.processed()), Figures.count(info.failed()),
				Figures.errorRate(info.processed(), info.failed()));
	}

	private static String state(QueueInfo info, Set<String> served) {
		if (info.paused()) {
			return "paused";
		}
		return served.contains(info.queue()) ? "run" : "nobody";
	}

	private static void bar(Canvas canvas, int row, QueueInfo info, long largest) {
		canvas.put(row, 0, NAME, info.queue(), Tone.FAINT);
		int room = canvas.width() - NAME - 10;
		int[] lengths = lengths(info, largest, room);
		int at = NAME + 1;
		for (int index = 0; index < lengths.length; index++) {
			TaskState state = Dash.TABS.get(index);
			at = canvas.put(row, at, String.valueOf(letter(state)).repeat(lengths[index]), Tone.of(state));
		}
		canvas.put(row, at + ((info.size() > 0) ? 1 : 0), Figures.count(info.size()), Tone.FAINT);
	}

	/** A state with tasks is always visible. */
	private static int[] lengths(QueueInfo info, long largest, int room) {
		int most = Math.max(0, room - Dash.TABS.size());
		return IntStream.range(0, Dash.TABS.size()).map((index) -> {
			long size = info.size(Dash.TABS.get(index));
			return (size == 0) ? 0 : (int) Math.max(1, Math.round((double) size * most / largest));
		}).toArray();
	}

}
