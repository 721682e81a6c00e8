package io.asynq.cli.dash;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.operations.TaskAction;
import org.jspecify.annotations.Nullable;

/**
 * What the view shows and how keys change it; knows neither terminal nor Redis. Used by
 * one thread.
 */
final class Dash {

	static final List<TaskState> TABS = List.of(TaskState.ACTIVE, TaskState.PENDING, TaskState.AGGREGATING,
			TaskState.SCHEDULED, TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED);

	private final Outside outside;

	private final Clock clock;

	private final Deque<Position> back = new ArrayDeque<>();

	Position current;

	private int width;

	private int height;

	boolean help;

	private boolean acting;

	@Nullable Reading reading;

	@Nullable Instant readAt;

	@Nullable Dialog dialog;

	@Nullable String failure;

	String message = "";

	Dash(Outside outside, Clock clock, int width, int height) {
		this.outside = outside;
		this.clock = clock;
		this.width = width;
		this.height = height;
		this.current = at(Place.queues());
	}

	void refresh() {
		this.outside.read(this.current.place, this.current.part);
	}

	void resized(int width, int height) {
		this.width = width;
		this.height = height;
		this.current.rows(rows(this.current.place));
		refresh();
	}

	/** Takes what was read, unless the user has gone on meanwhile. */
	void loaded(Place place, Part part, Reading read) {
		this.failure = null;
		if (place.equals(this.current.place) && part.equals(this.current.part)) {
			this.reading = read;
			this.readAt = this.clock.instant();
			if (!(read instanceof Reading.One)) {
				this.current.choose(this.current.chosen, read.size());
			}
		}
	}

	void away(String reason) {
		this.failure = reason;
	}

	void refused(String reason) {
		this.failure = null;
		this.message = reason;
	}

	void gone(Place place, String reason) {
		refused(reason);
		if (place.equals(this.current.place) && !this.back.isEmpty()) {
			go(this.back.pop());
		}
	}

	void progress(long done) {
		this.message = Figures.count(done) + " done, Esc stops";
	}

	void acted(String result) {
		this.acting = false;
		this.message = result;
		refresh();
	}

	void key(Key key) {
		if (key.name() == Key.Name.INTERRUPT || key.name() == Key.Name.END_OF_INPUT) {
			this.outside.quit();
		}
		else if (key.name() == Key.Name.REDRAW) {
			this.outside.redraw();
			refresh();
		}
		else if (this.dialog != null) {
			answer(this.dialog, key);
		}
		else if (this.help) {
			this.help = false;
		}
		else {
			this.message = "";
			command(key);
		}
	}

	private void command(Key key) {
		switch (key.name()) {
			case UP -> move(-1);
			case DOWN -> move(1);
			case PAGE_UP -> move(-rows(this.current.place));
			case PAGE_DOWN -> move(rows(this.current.place));
			case LEFT -> tab(-1);
			case RIGHT -> tab(1);
			case ENTER -> enter();
			case ESCAPE -> {
				if (this.acting) {
					this.outside.stopActing();
				}
				else {
					back();
				}
			}
			case CHARACTER -> command(key.character());
			default -> {
			}
		}
	}

	private void command(char character) {
		switch (character) {
			case 'k' -> move(-1);
			case 'j' -> move(1);
			case 'h' -> tab(-1);
			case 'l' -> tab(1);
			case 'n' -> next();
			case 'p' -> {
				if (this.current.previous()) {
					reload();
				}
			}
			case 'q' -> back();
			case '?' -> this.help = true;
			case '/' -> filter();
			case 'P' -> pause();
			case 'r' -> one(TaskAction.RUN);
			case 'a' -> one(TaskAction.ARCHIVE);
			case 'd' -> one(TaskAction.DELETE);
			case 'c' -> one(TaskAction.CANCEL);
			case 'R' -> all(TaskAction.RUN);
			case 'A' -> all(TaskAction.ARCHIVE);
			case 'D' -> all(TaskAction.DELETE);
			case 'C' -> all(TaskAction.CANCEL);
			default -> {
			}
		}
	}

	private void answer(Dialog asked, Key key) {
		switch (key.name()) {
			case ESCAPE -> this.dialog = null;
			case BACKSPACE -> this.dialog = asked.withoutLast();
			case ENTER, CHARACTER -> {
				boolean ended = key.name() == Key.Name.ENTER;
				if (!ended && asked.kind() != Dialog.Kind.YES) {
					this.dialog = asked.with(key.character());
					return;
				}
				this.dialog = null;
				if (asked.kind() == Dialog.Kind.FILTER) {
					go(at(this.current.place.filtered(asked.typed())));
				}
				else if (asked.act() != null && (ended ? asked.confirmed() : key.character() == 'y')) {
					act(asked.act());
				}
				else {
					this.message = "Nothing was done";
				}
			}
			default -> {
			}
		}
	}

	private Position at(Place place) {
		return new Position(place, rows(place));
	}

	private int rows(Place place) {
		return Screens.rows(place.kind(), this.height);
	}

	private void act(Act act) {
		this.acting = true;
		this.message = "Working…";
		this.outside.act(act);
	}

	private void move(int by) {
		if (this.reading instanceof Reading.One one) {
			int lines = Screens.lines(one.task(), this.width, now()).size();
			this.current.choose(this.current.chosen + by, lines - rows(this.current.place) + 1);
		}
		else if (this.reading != null) {
			this.current.choose(this.current.chosen + by, this.reading.size());
		}
	}

	private void tab(int by) {
		String queue = this.current.place.queue();
		if (queue != null && this.current.place.id() == null) {
			int index = TABS.indexOf(this.current.place.state()) + by;
			go(at(Place.queue(queue, TABS.get(Math.floorMod(index, TABS.size())))));
		}
	}

	private void next() {
		if (this.reading != null && this.reading.more()) {
			this.current.next((this.reading instanceof Reading.Groups groups) ? groups.next() : null);
			reload();
		}
	}

	private void enter() {
		int index = this.current.chosen;
		if (this.reading instanceof Reading.Queues queues && index < queues.size()) {
			open(Place.queue(queues.lines().get(index).info().queue(), TaskState.ACTIVE));
		}
		else if (this.reading instanceof Reading.Groups groups && index < groups.size()) {
			open(this.current.place.group(groups.groups().get(index).name()));
		}
		else if (this.reading instanceof Reading.Tasks tasks && index < tasks.size()) {
			open(this.current.place.task(tasks.tasks().get(index).id()));
		}
	}

	private void back() {
		if (!this.current.place.filter().isEmpty()) {
			go(at(this.current.place.filtered("")));
		}
		else if (this.back.isEmpty()) {
			this.outside.quit();
		}
		else {
			go(this.back.pop());
		}
	}

	private void open(Place place) {
		this.back.push(this.current);
		go(at(place));
	}

	private void go(Position position) {
		position.rows(rows(position.place));
		this.current = position;
		reload();
	}

	private void reload() {
		this.reading = null;
		this.readAt = null;
		refresh();
	}

	private void filter() {
		if (this.current.place.id() == null) {
			this.dialog = Dialog.filter(this.current.place.filter());
		}
	}

	private void pause() {
		Reading.Line line = queue();
		if (line != null) {
			ask(new Act.Pause(line.info().queue(), !line.info().paused()));
		}
	}

	private void one(TaskAction action) {
		TaskInfo task = (this.reading instanceof Reading.One one) ? one.task()
				: (this.reading instanceof Reading.Tasks tasks && this.current.chosen < tasks.size())
						? tasks.tasks().get(this.current.chosen) : null;
		if (task != null && !action.states().contains(task.state())) {
			this.message = impossible(action, task.state());
		}
		else if (task != null) {
			ask(new Act.ToTask(action, task.queue(), task.id()));
		}
	}

	private void all(TaskAction action) {
		if (!(this.reading instanceof Reading.Tasks tasks)) {
			return;
		}
		Place place = this.current.place;
		if (!place.filter().isEmpty()) {
			this.message = "This would not stop at the filter: take it off first (q)";
		}
		else if (!action.states().contains(place.state())) {
			this.message = impossible(action, place.state());
		}
		else if (tasks.count() == 0) {
			this.message = "There are no tasks";
		}
		else {
			ask(new Act.ToAll(action, tasks.queue().info().queue(), place.state(), place.group(), tasks.count()));
		}
	}

	private void ask(Act act) {
		if (this.acting) {
			this.message = "Something is being done: wait, or stop it with Esc";
		}
		else {
			this.dialog = Dialog.confirm(act);
		}
	}

	private static String impossible(TaskAction action, TaskState state) {
		return "Tasks that are " + state.wireName() + " cannot be " + switch (action) {
			case RUN, RUN_FRESH -> "run";
			case ARCHIVE -> "archived";
			case DELETE -> "deleted";
			case CANCEL, CANCEL_AND_ARCHIVE, CANCEL_AND_DELETE -> "cancelled";
		};
	}

	private Reading.@Nullable Line queue() {
		if (this.reading instanceof Reading.Queues queues && this.current.chosen < queues.size()) {
			return queues.lines().get(this.current.chosen);
		}
		if (this.reading instanceof Reading.Tasks tasks) {
			return tasks.queue();
		}
		return (this.reading instanceof Reading.Groups groups) ? groups.queue() : null;
	}

	Place place() {
		return this.current.place;
	}

	Instant now() {
		return this.clock.instant();
	}

}
