package io.asynq.cli.dash;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.inspect.GroupInfo;
import io.asynq.inspect.QueueInfo;
import io.asynq.inspect.QueueStats;
import io.asynq.operations.TaskAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys and screens, on 80 columns and 24 rows.
 */
class DashTests {

	private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

	private final Recorded outside = new Recorded();

	private final Dash dash = new Dash(this.outside, Clock.fixed(NOW, ZoneOffset.UTC), 80, 24);

	@Test
	void listsQueuesWithBarsAndFigures() {
		queues(line("default", false, Map.of(TaskState.PENDING, 30L, TaskState.RETRY, 10L)),
				line("low", true, Map.of(TaskState.ARCHIVED, 1L)));
		String screen = screen();
		assertThat(screen.lines().toList()).hasSize(24).allMatch((line) -> line.length() <= 80);
		assertThat(screen).contains("asynq  2 queues")
			.contains("a active p pending g aggregating s scheduled r retry x archived c completed")
			.containsPattern("default +p{30,}r{10,} 40")
			.containsPattern("low +x 1\n")
			.containsPattern("Queue +State +Size +Latency MemoryUsage Processed +Failed ErrorRate")
			.containsPattern("default +run +40 +1m30s +2\\.0KiB +220 +20 +9\\.09%")
			.containsPattern("low +paused +1 ");
	}

	@Test
	void opensAQueueItsStatesAndATask() {
		queues(line("default", false, Map.of()), line("low", false, Map.of(TaskState.RETRY, 1L)));
		keys("jk");
		key(Key.Name.DOWN);
		key(Key.Name.ENTER);
		assertThat(this.dash.place()).isEqualTo(Place.queue("low", TaskState.ACTIVE));
		keys("llll");
		assertThat(this.dash.place().state()).isEqualTo(TaskState.RETRY);
		tasks(1, task("id-1", TaskState.RETRY));
		assertThat(screen()).contains("Queue low  size 1")
			.contains("[retry 1]")
			.contains("[retry 1]  archived 0\n completed 0")
			.containsPattern("id-1 +mail:send +in 5m0s +2/25 +refused");
		key(Key.Name.ENTER);
		assertThat(this.dash.place()).isEqualTo(Place.queue("low", TaskState.RETRY).task("id-1"));
		load(new Reading.One(task("id-1", TaskState.RETRY)));
		assertThat(screen()).contains("Task of queue low")
			.containsPattern("Next +2026-11-23T12:05:00Z \\(in 5m0s\\)")
			.containsPattern("Last error +refused")
			.contains("Payload (JSON)")
			.contains("\"n\" : 1");
		keys("q");
		assertThat(this.dash.place()).isEqualTo(Place.queue("low", TaskState.RETRY));
		keys("h");
		assertThat(this.dash.place().state()).isEqualTo(TaskState.SCHEDULED);
		key(Key.Name.ESCAPE);
		assertThat(this.dash.place()).isEqualTo(Place.queues());
		assertThat(this.outside.quit).isFalse();
		keys("q");
		assertThat(this.outside.quit).isTrue();
	}

	@Test
	void asksForAGroupFirst() {
		open(TaskState.AGGREGATING);
		load(new Reading.Groups(line("default", false, Map.of(TaskState.AGGREGATING, 7L)),
				List.of(new GroupInfo("one", 3), new GroupInfo("two", 4)), "7"));
		assertThat(screen()).containsPattern("Group +Size").containsPattern("two +4");
		keys("n");
		assertThat(this.dash.current.part).isEqualTo(new Part(2, 18, "7"));
		keys("p");
		load(new Reading.Groups(line("default", false, Map.of()), List.of(new GroupInfo("one", 3)), null));
		key(Key.Name.ENTER);
		assertThat(this.dash.place().group()).isEqualTo("one");
		assertThat(this.dash.place().kind()).isEqualTo(Place.Kind.TASKS);
	}

	@ParameterizedTest
	@CsvSource({ "r, RETRY, RUN", "a, RETRY, ARCHIVE", "d, ARCHIVED, DELETE", "c, ACTIVE, CANCEL" })
	void changesATaskAfterAQuestion(char key, TaskState state, TaskAction action) {
		open(state);
		tasks(1, task("id-1", state));
		keys(key + "x");
		assertThat(this.outside.acts).isEmpty();
		keys(String.valueOf(key));
		assertThat(screen()).containsIgnoringCase(action + " task id-1? [y/N]");
		keys("y");
		assertThat(this.outside.acts).containsExactly(new Act.ToTask(action, "default", "id-1"));
		this.dash.acted("Done: task id-1");
		assertThat(screen()).contains("Done: task id-1");
	}

	@Test
	void refusesWhatAStateDoesNotAllow() {
		open(TaskState.ACTIVE);
		tasks(1, task("id-1", TaskState.ACTIVE));
		keys("d");
		assertThat(screen()).contains("Tasks that are active cannot be deleted");
		keys("R");
		assertThat(screen()).contains("Tasks that are active cannot be run");
		assertThat(this.dash.dialog).isNull();
	}

	@Test
	void changesAllUpToAHundredAfterAYes() {
		open(TaskState.ARCHIVED);
		tasks(100, task("id-1", TaskState.ARCHIVED));
		keys("D");
		assertThat(screen()).contains("Delete all 100 archived tasks of queue default? [y/N]");
		keys("y");
		assertThat(this.outside.acts)
			.containsExactly(new Act.ToAll(TaskAction.DELETE, "default", TaskState.ARCHIVED, null, 100));
		this.dash.progress(50);
		assertThat(screen()).contains("50 done, Esc stops");
		keys("P");
		assertThat(screen()).contains("Something is being done");
		key(Key.Name.ESCAPE);
		assertThat(this.outside.stopped).isTrue();
	}

	@Test
	void changesMoreOnlyAfterTheQueuesName() {
		open(TaskState.ARCHIVED);
		tasks(101, task("id-1", TaskState.ARCHIVED));
		for (String wrong : List.of("y", "", "defaul", "DEFAULT")) {
			keys("D");
			assertThat(screen()).contains("Delete all 101 archived tasks of queue default? Type the queue's name:");
			keys(wrong);
			key(Key.Name.ENTER);
			assertThat(screen()).contains("Nothing was done");
		}
		keys("Dx");
		key(Key.Name.ESCAPE);
		assertThat(this.outside.acts).isEmpty();
		keys("Ddefaultx");
		key(Key.Name.BACKSPACE);
		key(Key.Name.ENTER);
		assertThat(this.outside.acts).hasSize(1);
	}

	@Test
	void filtersAndDoesNotChangeAllWhileItDoes() {
		open(TaskState.ARCHIVED);
		tasks(20_000, task("id-1", TaskState.ARCHIVED));
		keys("/q-1");
		key(Key.Name.ENTER);
		assertThat(this.dash.place().filter()).isEqualTo("q-1");
		load(new Reading.Tasks(line("default", false, Map.of()), List.of(task("q-1", TaskState.ARCHIVED)), 20_000,
				10_000, false));
		assertThat(screen()).contains("filter 'q-1', looked at 10,000 of 20,000");
		keys("D");
		assertThat(screen()).contains("take it off first");
		keys("q");
		assertThat(this.dash.place()).isEqualTo(Place.queue("default", TaskState.ARCHIVED));
	}

	@Test
	void pausesAndResumesAfterAQuestion() {
		queues(line("default", false, Map.of()));
		keys("Py");
		queues(line("default", true, Map.of()));
		this.dash.acted("Queue default is paused");
		keys("Py");
		assertThat(this.outside.acts).containsExactly(new Act.Pause("default", true), new Act.Pause("default", false));
	}

	@Test
	void showsABannerWhileRedisIsAwayAndKeepsWhatItHas() {
		queues(line("default", false, Map.of()));
		this.dash.away("Redis at host:6379 cannot be reached");
		assertThat(screen()).startsWith("Redis is away, trying again; this is 0s old: Redis at host:6379")
			.contains("default");
		queues(line("default", false, Map.of()));
		assertThat(screen()).startsWith("asynq  1 queue\n");
	}

	@Test
	void goesBackWhenTheTaskIsGone() {
		open(TaskState.ARCHIVED);
		tasks(1, task("id-1", TaskState.ARCHIVED));
		key(Key.Name.ENTER);
		this.dash.gone(this.dash.place(), "Task 'id-1' was not found");
		assertThat(this.dash.place()).isEqualTo(Place.queue("default", TaskState.ARCHIVED));
		assertThat(screen()).contains("was not found");
	}

	@Test
	void hostileNamesStayText() {
		String hostile = "\u001b[2J\u001b]0;x\u0007\n<b>'\"/#%?\u202e🚀" + "x".repeat(1000);
		queues(line(hostile, false, Map.of(TaskState.ARCHIVED, 1L)));
		assertHarmless();
		key(Key.Name.ENTER);
		keys("lllll");
		tasks(1000, task(hostile, TaskState.ARCHIVED));
		assertHarmless();
		keys("d");
		assertHarmless();
		assertThat(screen()).contains("[y/N]");
		key(Key.Name.ESCAPE);
		keys("D");
		assertHarmless();
		key(Key.Name.ESCAPE);
		key(Key.Name.ENTER);
		load(new Reading.One(task(hostile, TaskState.ARCHIVED)));
		assertHarmless();
		this.dash.away(hostile);
		this.dash.refused(hostile);
		assertHarmless();
	}

	@Test
	void fitsAnyWindow() {
		queues(line("default", false, Map.of(TaskState.ARCHIVED, 1L)));
		for (int[] size : new int[][] { { 1, 1 }, { 20, 5 }, { 40, 10 }, { 80, 24 }, { 250, 80 } }) {
			this.dash.resized(size[0], size[1]);
			assertThat(Screens.draw(this.dash, size[0], size[1]).text().lines()).hasSize(size[1]);
		}
	}

	@Test
	void helpsAndRedraws() {
		queues(line("default", false, Map.of()));
		keys("?");
		assertThat(screen()).contains("run, archive, delete, cancel").contains("Any key: back");
		keys("q");
		assertThat(screen()).doesNotContain("Any key");
		key(Key.Name.REDRAW);
		assertThat(this.outside.redrawn).isTrue();
		keys("/");
		key(Key.Name.INTERRUPT);
		assertThat(this.outside.quit).isTrue();
	}

	@Test
	void queueThatNobodyServesDoesNotRun() {
		queues(line("default", false, Map.of()), line("mail", false, Map.of()), line("reports", true, Map.of()));
		assertThat(Pattern.compile("(?m)^\\W*(\\w+) +(run|nobody|paused) ").matcher(screen()).results())
			.extracting((row) -> row.group(1) + ' ' + row.group(2))
			.containsExactly("default run", "mail nobody", "reports paused");
	}

	private void assertHarmless() {
		assertThat(screen().lines()).hasSize(24)
			.allMatch((line) -> line.codePoints().noneMatch(Character::isISOControl) && !line.contains("\u202e"));
	}

	private String screen() {
		return Screens.draw(this.dash, 80, 24).text();
	}

	private void open(TaskState state) {
		queues(line("default", false, Map.of()));
		key(Key.Name.ENTER);
		keys("l".repeat(Dash.TABS.indexOf(state)));
	}

	private void keys(String characters) {
		characters.chars().forEach((character) -> this.dash.key(Key.of((char) character)));
	}

	private void key(Key.Name name) {
		this.dash.key(Key.of(name));
	}

	private void load(Reading reading) {
		this.dash.loaded(this.dash.place(), this.dash.current.part, reading);
	}

	private void queues(Reading.Line... lines) {
		load(new Reading.Queues(List.of(lines), Set.of("default"), lines.length, 0, false));
	}

	private void tasks(long count, TaskInfo... tasks) {
		TaskState state = this.dash.place().state();
		load(new Reading.Tasks(line(String.valueOf(this.dash.place().queue()), false, Map.of(state, count)),
				List.of(tasks), count, count, false));
	}

	private static Reading.Line line(String queue, boolean paused, Map<TaskState, Long> sizes) {
		Map<TaskState, Long> all = new EnumMap<>(TaskState.class);
		Dash.TABS.forEach((state) -> all.put(state, sizes.getOrDefault(state, 0L)));
		QueueStats stats = new QueueStats(all, 0, Duration.ofSeconds(90), new QueueStats.Counters(220, 20),
				new QueueStats.Counters(220, 20), paused);
		return new Reading.Line(new QueueInfo(queue, stats, NOW), 2048);
	}

	private static TaskInfo task(String id, TaskState state) {
		return TaskInfo.builder(id, "default", Task.of("mail:send", "{\"n\":1}"), state)
			.maxRetry(25)
			.retried(2)
			.lastError("refused")
			.lastFailedAt(NOW.minusSeconds(60))
			.nextProcessAt(NOW.plusSeconds(300))
			.build();
	}

	/** Keeps what was asked for. */
	private static final class Recorded implements Outside {

		private final List<Act> acts = new ArrayList<>();

		private boolean quit;

		private boolean redrawn;

		private boolean stopped;

		@Override
		public void read(Place place, Part part) {
			// The test answers
		}

		@Override
		public void act(Act act) {
			this.acts.add(act);
		}

		@Override
		public void stopActing() {
			this.stopped = true;
		}

		@Override
		public void redraw() {
			this.redrawn = true;
		}

		@Override
		public void quit() {
			this.quit = true;
		}

	}

}
