package io.asynq.cli.dash;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;

/** Draws what the view shows: a head, the list, a line for messages and one for keys. */
final class Screens {

	private static final int LEAST_WIDTH = 40;

	private static final int LEAST_HEIGHT = 10;

	private static final int FOOT = 2;

	private static final int LABEL = 14;

	private static final int NAME = 17;

	/** Colours are not for everybody, so each state has its letter. */
	private static final String LETTERS = "apgsrxc";

	private static final String HELP = """
			Enter          open what is chosen
			up down  k j   choose, scroll
			left right h l state of a queue's tasks
			n p            next, previous page
			PgUp PgDn      a page of rows
			/              filter by text
			q Esc          back; ends at the list of queues
			?              this help
			Ctrl-L         draw anew
			Ctrl-C         end

			r a d c        run, archive, delete, cancel the chosen task
			R A D C        the same with all tasks of the state or group
			P              pause or resume the queue

			Each asks first; for more than %d tasks type the queue's name.
			Times are UTC, processed and failed are of this UTC day,
			memory is sampled once a minute.""".formatted(Dialog.MANY);

	private Screens() {
	}

	/** How many entries fit. */
	static int rows(Place.Kind kind, int height) {
		int head = switch (kind) {
			// Title, legend, bars, names of the columns
			case QUEUES -> 3 + bars(height);
			// Title, two rows of tabs, names of the columns
			case GROUPS, TASKS -> 4;
			case TASK -> 2;
		};
		return Math.max(1, height - head - FOOT);
	}

	/** How many queues have a bar. */
	private static int bars(int height) {
		return Math.max(0, (height - 5) / 3);
	}

	static Canvas draw(Dash dash, int width, int height) {
		Canvas canvas = new Canvas(width, height);
		if (width < LEAST_WIDTH || height < LEAST_HEIGHT) {
			canvas.put(0, 0, "Needs " + LEAST_WIDTH + "x" + LEAST_HEIGHT, Tone.WARNING);
			return canvas;
		}
		if (dash.help) {
			title(canvas, "asynq  help");
			List<String> lines = HELP.lines().toList();
			for (int index = 0; index < Math.min(lines.size(), height - FOOT - 2); index++) {
				canvas.put(2 + index, 2, lines.get(index), Tone.PLAIN);
			}
		}
		else {
			body(canvas, dash);
		}
		foot(canvas, dash);
		if (dash.failure != null) {
			canvas.clear(0);
			canvas.tone(0, Tone.ERROR);
			canvas.put(0, 0, "Redis is away, trying again"
					+ ((dash.readAt != null)
							? "; this is " + Figures.duration(Duration.between(dash.readAt, dash.now())) + " old" : "")
					+ ": " + dash.failure, Tone.ERROR);
		}
		return canvas;
	}

	private static void body(Canvas canvas, Dash dash) {
		Place place = dash.place();
		Position position = dash.current;
		String filter = place.filter().isEmpty() ? "" : "  filter '" + place.filter() + "'";
		if (dash.reading instanceof Reading.Queues queues) {
			title(canvas, "asynq  " + title(queues, position) + filter);
			queues(canvas, queues, position.chosen);
		}
		else if (dash.reading instanceof Reading.Groups groups) {
			title(canvas, title(groups.queue()) + filter);
			tabs(canvas, groups.queue().info(), place);
			table(canvas, 3, List.of(new Column("Group", canvas.width() - 12), Column.number("Size", 9)),
					groups.groups()
						.stream()
						.map((group) -> List.of(group.name(), Figures.count(group.size())))
						.toList(),
					position.chosen);
		}
		else if (dash.reading instanceof Reading.Tasks tasks) {
			title(canvas, title(tasks.queue()));
			tasks(canvas, tasks, place, position, dash.now());
			message(canvas, extent(tasks, place, position), Tone.FAINT);
		}
		else if (dash.reading instanceof Reading.One one) {
			title(canvas, "Task of queue " + place.queue());
			List<String> lines = lines(one.task(), canvas.width(), dash.now());
			int rows = rows(Place.Kind.TASK, canvas.height());
			for (int row = 0; row < Math.min(rows, lines.size() - position.chosen); row++) {
				canvas.put(2 + row, 0, lines.get(position.chosen + row), Tone.PLAIN);
			}
		}
		else {
			title(canvas, "asynq  reading" + ((place.queue() != null) ? " queue " + place.queue() : " queues") + "...");
		}
	}

	private static void foot(Canvas canvas, Dash dash) {
		int last = canvas.height() - 1;
		canvas.tone(last, Tone.FAINT);
		canvas.put(last, 0, dash.help ? "Any key: back" : switch (dash.place().kind()) {
			case QUEUES -> "Enter open  n/p page  / filter  P pause  ? help  q quit";
			case GROUPS -> "Enter open  h/l state  n/p page  / filter  P pause  ? help  q back";
			case TASKS -> "Enter open  h/l state  n/p page  / filter  r a d c one  R A D C all  ? help";
			case TASK -> "up/down scroll  r run  a archive  d delete  c cancel  ? help  q back";
		}, Tone.FAINT);
		if (dash.dialog != null) {
			List<String> lines = Figures.wrap(dash.dialog.prompt(), canvas.width());
			for (int index = 0; index < lines.size(); index++) {
				int row = last - lines.size() + index;
				canvas.clear(row);
				canvas.tone(row, Tone.WARNING);
				canvas.put(row, 0, lines.get(index), Tone.WARNING);
			}
		}
		else if (!dash.message.isEmpty()) {
			message(canvas, dash.message, Tone.WARNING);
		}
	}

	private static void title(Canvas canvas, String title) {
		canvas.tone(0, Tone.TITLE);
		canvas.put(0, 0, title, Tone.TITLE);
	}

	private static void message(Canvas canvas, String text, Tone tone) {
		int row = canvas.height() - FOOT;
		canvas.clear(row);
		canvas.put(row, 0, text, tone);
	}

	/**
	 * Draws the part of a list in which the chosen entry is; the last column takes what
	 * is left.
	 */
	private static void table(Canvas canvas, int row, List<Column> columns, List<List<String>> entries, int chosen) {
		row(canvas, row, columns, columns.stream().map(Column::name).toList(), Tone.HEAD);
		int rows = canvas.height() - FOOT - row - 1;
		int first = Math.max(0, chosen - rows + 1);
		for (int index = first; index < Math.min(entries.size(), first + rows); index++) {
			row(canvas, row + 1 + index - first, columns, entries.get(index),
					(index == chosen) ? Tone.CHOSEN : Tone.PLAIN);
		}
	}

	private static void row(Canvas canvas, int row, List<Column> columns, List<String> cells, Tone tone) {
		if (tone != Tone.PLAIN) {
			canvas.tone(row, tone);
		}
		int at = 0;
		for (int index = 0; index < cells.size(); index++) {
			Column column = columns.get(index);
			String cell = cells.get(index);
			int room = (index < cells.size() - 1) ? column.width() : canvas.width() - at;
			int indent = column.right() ? Math.max(0, room - Harmless.width(cell)) : 0;
			canvas.put(row, at + indent, room - indent, cell, tone);
			at += room + 1;
		}
	}

	private static String title(Reading.Queues queues, Position position) {
		int pages = Math.max(1, (queues.count() + position.part.rows() - 1) / position.part.rows());
		return Figures.count(queues.count()) + ((queues.count() == 1) ? " queue" : " queues")
				+ ((queues.unreadable() > 0) ? ", " + queues.unreadable() + " of this page unreadable" : "")
				+ ((pages > 1) ? ", page " + position.part.number() + " of " + pages : "");
	}

	private static void queues(Canvas canvas, Reading.Queues queues, int chosen) {
		int at = 0;
		for (TaskState state : Dash.TABS) {
			at = canvas.put(1, at, letter(state) + " ", Tone.of(state));
			at = canvas.put(1, at, state.wireName() + " ", Tone.FAINT);
		}
		int bars = bars(canvas.height());
		int first = Math.max(0, chosen - bars + 1);
		long largest = queues.lines().stream().mapToLong((line) -> line.info().size()).max().orElse(0);
		for (int index = 0; index < Math.min(bars, queues.size() - first); index++) {
			bar(canvas, 2 + index, queues.lines().get(first + index).info(), largest);
		}
		List<Column> columns = List.of(new Column("Queue", Math.max(10, canvas.width() - 63)), new Column("State", 6),
				Column.number("Size", 7), Column.number("Latency", 7), Column.number("MemoryUsage", 11),
				Column.number("Processed", 9), Column.number("Failed", 7), Column.number("ErrorRate", 9));
		table(canvas, 2 + bars, columns, queues.lines().stream().map((line) -> {
			QueueInfo info = line.info();
			String state = info.paused() ? "paused" : queues.served().contains(info.queue()) ? "run" : "nobody";
			return List.of(info.queue(), state, Figures.count(info.size()), Figures.duration(info.latency()),
					Figures.bytes(line.memory()), Figures.count(info.processed()), Figures.count(info.failed()),
					Figures.errorRate(info.processed(), info.failed()));
		}).toList(), chosen);
	}

	private static String letter(TaskState state) {
		return LETTERS.substring(Dash.TABS.indexOf(state), Dash.TABS.indexOf(state) + 1);
	}

	private static void bar(Canvas canvas, int row, QueueInfo info, long largest) {
		canvas.put(row, 0, NAME, info.queue(), Tone.FAINT);
		int most = Math.max(0, canvas.width() - NAME - 10 - Dash.TABS.size());
		int at = NAME + 1;
		for (TaskState state : Dash.TABS) {
			long size = info.size(state);
			// A state with tasks is always visible
			int length = (size == 0) ? 0 : (int) Math.max(1, Math.round((double) size * most / largest));
			at = canvas.put(row, at, letter(state).repeat(length), Tone.of(state));
		}
		canvas.put(row, at + ((info.size() > 0) ? 1 : 0), Figures.count(info.size()), Tone.FAINT);
	}

	private static String title(Reading.Line line) {
		QueueInfo info = line.info();
		return "Queue " + info.queue() + (info.paused() ? " (paused)" : "") + "  size " + Figures.count(info.size())
				+ "  latency " + Figures.duration(info.latency()) + "  memory " + Figures.bytes(line.memory())
				+ "  processed " + Figures.count(info.processed()) + "  failed " + Figures.count(info.failed());
	}

	private static void tabs(Canvas canvas, QueueInfo info, Place place) {
		int row = 1;
		int at = 0;
		for (TaskState state : Dash.TABS) {
			boolean open = state == place.state();
			long limited = (state == TaskState.RETRY) ? info.waitingForLimit() : 0;
			String tab = (open ? "[" : " ") + state.wireName() + " " + Figures.count(info.size(state) - limited)
					+ ((limited > 0) ? " + " + Figures.count(limited) + " for a limit" : "") + (open ? "]" : " ");
			if (at + tab.length() > canvas.width()) {
				row++;
				at = 0;
			}
			at = canvas.put(row, at, tab, open ? Tone.CHOSEN : Tone.of(state)) + 1;
		}
		if (place.group() != null) {
			canvas.put(2, (row == 1) ? 0 : at, "group " + place.group(), Tone.TITLE);
		}
	}

	private static void tasks(Canvas canvas, Reading.Tasks tasks, Place place, Position position, Instant now) {
		tabs(canvas, tasks.queue().info(), place);
		List<Column> columns = new ArrayList<>();
		columns.add(new Column("ID", Math.min(36, canvas.width() / 3)));
		columns.add(new Column("Type", Math.min(30, canvas.width() / 5)));
		columns.addAll(switch (place.state()) {
			case SCHEDULED -> List.of(new Column("Process In", 11), new Column("Payload", 1));
			case RETRY -> List.of(new Column("Next Retry", 10), new Column("Retried", 7), new Column("Last Error", 1));
			case ARCHIVED -> List.of(new Column("Last Failed", 11), new Column("Last Error", 1));
			case COMPLETED -> List.of(new Column("Completed", 11), new Column("Result", 1));
			default -> List.of(new Column("Retried", 9), new Column("Payload", 1));
		});
		table(canvas, 3, columns, tasks.tasks().stream().map((task) -> cells(task, place.state(), now)).toList(),
				position.chosen);
		if (tasks.tasks().isEmpty()) {
			canvas.put(4, 0, place.filter().isEmpty() ? "No " + place.state().wireName() + " tasks" : "None found",
					Tone.FAINT);
		}
	}

	private static List<String> cells(TaskInfo task, TaskState state, Instant now) {
		String retried = task.retried() + "/" + task.maxRetry();
		boolean waits = !task.waitsFor().isEmpty();
		String error = waits ? "waits for limit " + String.join(", ", task.waitsFor())
				: Objects.requireNonNullElse(task.lastError(), "");
		List<String> cells = new ArrayList<>(List.of(task.id(), task.type()));
		cells.addAll(switch (state) {
			case SCHEDULED -> List.of(Figures.relative(task.nextProcessAt(), now), PayloadText.preview(task.payload()));
			case RETRY -> List.of(waits ? "-" : Figures.relative(task.nextProcessAt(), now), retried, error);
			case ARCHIVED -> List.of(Figures.relative(task.lastFailedAt(), now), error);
			case COMPLETED -> List.of(Figures.relative(task.completedAt(), now), PayloadText.preview(task.result()));
			case ACTIVE -> List.of(task.orphaned() ? "orphaned" : retried, PayloadText.preview(task.payload()));
			default -> List.of(retried, PayloadText.preview(task.payload()));
		});
		return cells;
	}

	private static String extent(Reading.Tasks tasks, Place place, Position position) {
		String page = "page " + position.part.number() + (tasks.more() ? ", n for more" : "");
		return place.filter().isEmpty() ? page : "filter '" + place.filter() + "', looked at "
				+ Figures.count(tasks.lookedAt()) + " of " + Figures.count(tasks.count()) + ", " + page;
	}

	/** All that is known of a task. */
	static List<String> lines(TaskInfo task, int width, Instant now) {
		List<String> lines = new ArrayList<>();
		field(lines, width, "ID", task.id());
		field(lines, width, "Type", task.type());
		field(lines, width, "State", task.state().wireName() + (task.orphaned() ? " (orphaned)" : ""));
		if (task.group() != null) {
			field(lines, width, "Group", task.group());
		}
		field(lines, width, "Retried", task.retried() + " of " + task.maxRetry());
		field(lines, width, "Next", Figures.time(task.nextProcessAt(), now));
		field(lines, width, "Timeout", task.timeout().isZero() ? "-" : Figures.duration(task.timeout()));
		field(lines, width, "Deadline", Figures.time(task.deadline(), now));
		field(lines, width, "Retention", task.retention().isZero() ? "-" : Figures.duration(task.retention()));
		if (task.completedAt() != null) {
			field(lines, width, "Completed", Figures.time(task.completedAt(), now));
		}
		if (task.lastError() != null) {
			field(lines, width, "Last failure", Figures.time(task.lastFailedAt(), now));
			field(lines, width, "Last error", task.lastError());
		}
		task.headers().forEach((name, value) -> field(lines, width, "Header", name + "=" + value));
		bytes(lines, width, "Payload", task.payload());
		if (task.result() != null) {
			bytes(lines, width, "Result", task.result());
		}
		return lines;
	}

	private static void bytes(List<String> lines, int width, String name, byte @Nullable [] bytes) {
		PayloadText text = PayloadText.of(bytes);
		lines.add("");
		lines.add(name + " (" + text.format() + ")");
		text.lines().forEach((line) -> lines.addAll(Figures.wrap(line, width)));
	}

	private static void field(List<String> lines, int width, String name, String value) {
		String label = name;
		for (String line : value.split("\\R", -1)) {
			for (String part : Figures.wrap(line, width - LABEL)) {
				lines.add(String.format("%-" + LABEL + "s%s", label, part));
				label = "";
			}
		}
	}

	private record Column(String name, int width, boolean right) {

		Column(String name, int width) {
			this(name, width, false);
		}

		static Column number(String name, int width) {
			return new Column(name, width, true);
		}

	}

}
