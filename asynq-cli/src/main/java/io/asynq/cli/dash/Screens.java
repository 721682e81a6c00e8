package io.asynq.cli.dash;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.cli.dash.terminal.Canvas;
import io.asynq.cli.dash.terminal.Figures;
import io.asynq.cli.dash.terminal.Lines;
import io.asynq.cli.dash.terminal.Tone;

/**
 * Draws what the view shows.
 */
final class Screens {

	/** Below this nothing useful can be drawn. */
	private static final int LEAST_WIDTH = 40;

	private static final int LEAST_HEIGHT = 10;

	private static final List<String> HELP = List.of("Enter          open what is chosen",
			"up down  k j   choose, scroll", "left right h l state of a queue's tasks",
			"n p            next, previous page", "PgUp PgDn      a page of rows", "/              filter by text",
			"q Esc          back; ends at the list of queues", "?              this help", "Ctrl-L         draw anew",
			"Ctrl-C         end", "", "r a d c        run, archive, delete, cancel the chosen task",
			"R A D C        the same with all tasks of the state or group", "P              pause or resume the queue",
			"", "Each asks first; for more than " + Dialog.MANY + " tasks type the queue's name.",
			"Times are UTC, processed and failed are of this UTC day,", "memory is sampled once a minute.");

	private Screens() {
	}

	static Canvas draw(Dash dash, int width, int height) {
		Canvas canvas = new Canvas(width, height);
		if (width < LEAST_WIDTH || height < LEAST_HEIGHT) {
			canvas.put(0, 0, "Needs " + LEAST_WIDTH + "x" + LEAST_HEIGHT, Tone.WARNING);
			return canvas;
		}
		if (dash.showsHelp()) {
			help(canvas);
		}
		else {
			body(canvas, dash);
		}
		foot(canvas, dash);
		String failure = dash.failure();
		if (failure != null) {
			canvas.clear(0);
			canvas.tone(0, Tone.ERROR);
			Instant readAt = dash.readAt();
			canvas.put(0, 0,
					"Redis is away, trying again" + ((readAt != null)
							? "; this is " + Figures.duration(Duration.between(readAt, dash.now())) + " old" : "")
							+ ": " + failure,
					Tone.ERROR);
		}
		return canvas;
	}

	private static void body(Canvas canvas, Dash dash) {
		Reading reading = dash.reading();
		Place place = dash.place();
		Position position = dash.position();
		if (reading instanceof Reading.Queues queues) {
			title(canvas, "asynq  " + QueuesScreen.title(queues, position) + filter(place));
			QueuesScreen.draw(canvas, queues, position.chosen());
		}
		else if (reading instanceof Reading.Groups groups) {
			title(canvas, QueueScreen.title(groups.queue()) + filter(place));
			QueueScreen.draw(canvas, groups, place, position.chosen());
		}
		else if (reading instanceof Reading.Tasks tasks) {
			title(canvas, QueueScreen.title(tasks.queue()));
			QueueScreen.draw(canvas, tasks, place, position, dash.now());
			message(canvas, QueueScreen.extent(tasks, place, position), Tone.FAINT);
		}
		else if (reading instanceof Reading.One one) {
			title(canvas, "Task of queue " + place.queue());
			TaskScreen.draw(canvas, one.task(), position.chosen(), dash.now());
		}
		else {
			title(canvas, "asynq  reading" + ((place.queue() != null) ? " queue " + place.queue() : " queues") + "...");
		}
	}

	private static void help(Canvas canvas) {
		title(canvas, "asynq  help");
		int row = 2;
		for (String line : HELP) {
			if (row < canvas.height() - 2) {
				canvas.put(row++, 2, line, Tone.PLAIN);
			}
		}
	}

	private static void foot(Canvas canvas, Dash dash) {
		int last = canvas.height() - 1;
		canvas.tone(last, Tone.FAINT);
		canvas.put(last, 0, keys(dash), Tone.FAINT);
		Dialog dialog = dash.dialog();
		if (dialog != null) {
			List<String> lines = Lines.wrap(dialog.prompt(), canvas.width());
			for (int index = 0; index < lines.size(); index++) {
				int row = last - lines.size() + index;
				canvas.clear(row);
				canvas.tone(row, Tone.WARNING);
				canvas.put(row, 0, lines.get(index), Tone.WARNING);
			}
		}
		else if (!dash.message().isEmpty()) {
			message(canvas, dash.message(), Tone.WARNING);
		}
	}

	private static String keys(Dash dash) {
		if (dash.showsHelp()) {
			return "Any key: back";
		}
		return switch (dash.place().kind()) {
			case QUEUES -> "Enter open  n/p page  / filter  P pause  ? help  q quit";
			case GROUPS -> "Enter open  h/l state  n/p page  / filter  P pause  ? help  q back";
			case TASKS -> "Enter open  h/l state  n/p page  / filter  r a d c one  R A D C all  ? help";
			case TASK -> "up/down scroll  r run  a archive  d delete  c cancel  ? help  q back";
		};
	}

	private static String filter(Place place) {
		return place.filter().isEmpty() ? "" : "  filter '" + place.filter() + "'";
	}

	private static void title(Canvas canvas, String title) {
		canvas.tone(0, Tone.TITLE);
		canvas.put(0, 0, title, Tone.TITLE);
	}

	private static void message(Canvas canvas, String text, Tone tone) {
		int row = canvas.height() - 2;
		canvas.clear(row);
		canvas.put(row, 0, text, tone);
	}

}
