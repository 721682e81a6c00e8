package io.asynq.cli.dash;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.cli.dash.terminal.Canvas;
import io.asynq.cli.dash.terminal.Figures;
import io.asynq.cli.dash.terminal.PayloadText;
import io.asynq.cli.dash.terminal.Table;
import io.asynq.cli.dash.terminal.Table.Column;
import io.asynq.cli.dash.terminal.Tone;
import io.asynq.inspect.QueueInfo;

/**
 * Draws a queue with the tasks of a state, or its groups.
 */
final class QueueScreen {

	private QueueScreen() {
	}

	static String title(Reading.Line line) {
		QueueInfo info = line.info();
		return "Queue " + info.queue() + (info.paused() ? " (paused)" : "") + "  size " + Figures.count(info.size())
				+ "  latency " + Figures.duration(info.latency()) + "  memory " + Figures.bytes(line.memory())
				+ "  processed " + Figures.count(info.processed()) + "  failed " + Figures.count(info.failed());
	}

	static void draw(Canvas canvas, Reading.Groups groups, Place place, int chosen) {
		tabs(canvas, groups.queue().info(), place);
		Table table = new Table(canvas, 3,
				List.of(Column.text("Group", canvas.width() - 12), Column.number("Size", 9)));
		table.add(groups.groups().stream().map((group) -> List.of(group.name(), Figures.count(group.size()))).toList(),
				chosen, Layout.rows(Place.Kind.GROUPS, canvas.height()));
	}

	static void draw(Canvas canvas, Reading.Tasks tasks, Place place, Position position, Instant now) {
		tabs(canvas, tasks.queue().info(), place);
		List<Column> columns = new ArrayList<>();
		columns.add(Column.text("ID", Math.min(36, canvas.width() / 3)));
		columns.add(Column.text("Type", Math.min(30, canvas.width() / 5)));
		columns.addAll(switch (place.state()) {
			case SCHEDULED -> List.of(Column.text("Process In", 11), Column.text("Payload", 1));
			case RETRY ->
				List.of(Column.text("Next Retry", 10), Column.text("Retried", 7), Column.text("Last Error", 1));
			case ARCHIVED -> List.of(Column.text("Last Failed", 11), Column.text("Last Error", 1));
			case COMPLETED -> List.of(Column.text("Completed", 11), Column.text("Result", 1));
			default -> List.of(Column.text("Retried", 9), Column.text("Payload", 1));
		});
		Table table = new Table(canvas, 3, columns);
		table.add(tasks.tasks().stream().map((task) -> cells(task, place.state(), now)).toList(), position.chosen(),
				Layout.rows(Place.Kind.TASKS, canvas.height()));
		if (tasks.tasks().isEmpty()) {
			canvas.put(4, 0, place.filter().isEmpty() ? "No " + place.state().wireName() + " tasks" : "None found",
					Tone.FAINT);
		}
	}

	/** Which part of how much is shown. */
	static String extent(Reading.Tasks tasks, Place place, Position position) {
		String page = "page " + position.part().number() + (tasks.more() ? ", n for more" : "");
		if (place.filter().isEmpty()) {
			return page;
		}
		return "filter '" + place.filter() + "', looked at " + Figures.count(tasks.lookedAt()) + " of "
				+ Figures.count(tasks.count()) + ", " + page;
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
		String group = place.group();
		if (group != null) {
			canvas.put(2, (row == 1) ? 0 : at, "group " + group, Tone.TITLE);
		}
	}

}
