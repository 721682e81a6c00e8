package io.asynq.cli.dash;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.cli.dash.terminal.Canvas;
import io.asynq.cli.dash.terminal.Figures;
import io.asynq.cli.dash.terminal.Lines;
import io.asynq.cli.dash.terminal.PayloadText;
import io.asynq.cli.dash.terminal.Tone;
import org.jspecify.annotations.Nullable;

/**
 * Draws all that is known of a task.
 */
final class TaskScreen {

	private static final int LABEL = 14;

	private TaskScreen() {
	}

	static void draw(Canvas canvas, TaskInfo task, int first, Instant now) {
		List<String> lines = lines(task, canvas.width(), now);
		int rows = Layout.rows(Place.Kind.TASK, canvas.height());
		for (int row = 0; row < rows && first + row < lines.size(); row++) {
			canvas.put(2 + row, 0, lines.get(first + row), Tone.PLAIN);
		}
	}

	static List<String> lines(TaskInfo task, int width, Instant now) {
		List<String> lines = new ArrayList<>();
		field(lines, width, "ID", task.id());
		field(lines, width, "Type", task.type());
		field(lines, width, "State", task.state().wireName() + (task.orphaned() ? " (orphaned)" : ""));
		String group = task.group();
		if (group != null) {
			field(lines, width, "Group", group);
		}
		field(lines, width, "Retried", task.retried() + " of " + task.maxRetry());
		field(lines, width, "Next", Figures.time(task.nextProcessAt(), now));
		field(lines, width, "Timeout", task.timeout().isZero() ? "-" : Figures.duration(task.timeout()));
		field(lines, width, "Deadline", Figures.time(task.deadline(), now));
		field(lines, width, "Retention", task.retention().isZero() ? "-" : Figures.duration(task.retention()));
		if (task.completedAt() != null) {
			field(lines, width, "Completed", Figures.time(task.completedAt(), now));
		}
		String error = task.lastError();
		if (error != null) {
			field(lines, width, "Last failure", Figures.time(task.lastFailedAt(), now));
			field(lines, width, "Last error", error);
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
		text.lines().forEach((line) -> lines.addAll(Lines.wrap(line, width)));
	}

	private static void field(List<String> lines, int width, String name, String value) {
		String label = name;
		for (String line : value.split("\\R", -1)) {
			for (String part : Lines.wrap(line, width - LABEL)) {
				lines.add(String.format("%-" + LABEL + "s%s", label, part));
				label = "";
			}
		}
	}

}
