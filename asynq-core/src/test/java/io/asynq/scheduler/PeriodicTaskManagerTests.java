package io.asynq.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.Task;
import io.asynq.TaskOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How periodic tasks of a provider come and go.
 */
class PeriodicTaskManagerTests {

	private static final PeriodicTask A = PeriodicTask.of("@every 1h", Task.of("a", "1"));

	private static final PeriodicTask B = PeriodicTask.of("@every 1h", Task.of("b", "1")).id("b");

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ProviderSync.class);

	private final SchedulerFixture fixture = new SchedulerFixture((options) -> options.clusterSafe(false));

	private List<PeriodicTask> provided = List.of();

	private final ProviderSync sync = new ProviderSync(this.fixture.scheduler, () -> this.provided);

	@BeforeEach
	void start() {
		this.log.start();
		this.logger.addAppender(this.log);
		this.fixture.scheduler.start();
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.log);
		this.fixture.close();
	}

	@Test
	void registersWhatIsNewRemovesWhatIsGoneAndLeavesTheRestAlone() {
		sync(A, B);
		List<PeriodicTaskInfo> before = this.fixture.scheduler.entries();
		assertThat(before).extracting(PeriodicTaskInfo::type).containsExactly("a", "b");
		this.fixture.clock.advance(Duration.ofMinutes(1));
		sync(B, PeriodicTask.of("@daily", Task.of("c", "")), A);
		assertThat(this.fixture.scheduler.entries()).hasSize(3).startsWith(before.get(0), before.get(1));
		sync(B);
		assertThat(this.fixture.scheduler.entries()).containsExactly(before.get(1));
	}

	@Test
	void theSameTwiceCountsOnceAndCanBeRemoved() {
		sync(A, PeriodicTask.of("@every 1h", Task.of("a", "1")));
		assertThat(this.fixture.scheduler.entries()).hasSize(1);
		sync();
		assertThat(this.fixture.scheduler.entries()).isEmpty();
	}

	@Test
	void whatDiffersInAnythingIsAnother() {
		Task task = Task.of("a", "1");
		sync(A, PeriodicTask.of("@every 1h", Task.of("a", "2")), PeriodicTask.of("@every 2h", task),
				PeriodicTask.of("@every 1h", Task.of("a", (byte[]) null)), A.zone("UTC"),
				A.options((options) -> options.queue("low")), A.options((options) -> options.header("k", "v")),
				PeriodicTask.of("@every 1h", task.withHeaders(Map.of("k", "v"))),
				PeriodicTask.of("@every 1h", task.withOptions(TaskOptions.of((options) -> options.maxRetry(1)))));
		assertThat(this.fixture.scheduler.entries()).hasSize(9);
		assertThat(this.log.list).isEmpty();
	}

	@Test
	void anEntryOfTheSameIdThatHasChangedIsReplaced() {
		sync(B);
		sync(PeriodicTask.of("0 3 * * *", Task.of("b", "1")).id("b"));
		assertThat(this.fixture.scheduler.entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.next()).isEqualTo(Instant.parse("2024-05-02T03:00:00Z")));
	}

	@Test
	void whatIsWrongIsToldOnceAndLeftOutAlone() {
		PeriodicTask wrong = PeriodicTask.of("61 * * * *", Task.of("c", "")).id("wrong");
		PeriodicTask blank = PeriodicTask.of("@daily", Task.of("d", "")).options((options) -> options.queue(""));
		sync(A, wrong, null, blank, B, B.options((options) -> options.queue("low")));
		sync(A, wrong, null, blank, B, B.options((options) -> options.queue("low")));
		assertThat(this.fixture.scheduler.entries()).extracting(PeriodicTaskInfo::type).containsExactly("a", "b");
		assertThat(this.log.list).extracting(ILoggingEvent::getFormattedMessage)
			.hasSize(4)
			.anyMatch((line) -> line.contains("'wrong'") && line.contains("'61'"))
			.anyMatch((line) -> line.contains("null"))
			.anyMatch((line) -> line.contains("type=d") && line.contains("'queue'"))
			.anyMatch((line) -> line.contains("'b'") && line.contains("another id"));
		sync(A, B);
		sync(A, B, wrong);
		assertThat(this.log.list).hasSize(5);
	}

	@Test
	void aProviderThatFailsLeavesWhatThereIs() {
		sync(A, B);
		this.provided = null;
		assertThat(this.sync.run()).isFalse();
		assertThat(this.sync.run()).isFalse();
		assertThat(this.fixture.scheduler.entries()).hasSize(2);
		assertThat(this.log.list).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("the 2 of the last time stay"));
	}

	@Test
	void asksAgainAndAgainAndAfterARestart() {
		List<PeriodicTask> growing = new ArrayList<>();
		PeriodicTaskProvider provider = () -> {
			growing.add(A.id("a" + growing.size()));
			return List.copyOf(growing);
		};
		PeriodicTaskProvider broken = () -> {
			throw new IllegalStateException("no database");
		};
		SchedulerOptions options = SchedulerOptions.builder().clock(this.fixture.clock).build();
		PeriodicTaskManager manager = new PeriodicTaskManager(this.fixture.scheduler, List.of(broken, provider),
				options);
		manager.start();
		awaitEntries(1);
		manager.wake();
		awaitEntries(2);
		manager.stop();
		assertThat(manager.isRunning()).isFalse();
		manager.start();
		awaitEntries(3);
		manager.stop();
	}

	private void awaitEntries(int count) {
		await().until(() -> this.fixture.scheduler.entries().size() == count);
	}

	private void sync(PeriodicTask... tasks) {
		this.provided = Arrays.asList(tasks);
		assertThat(this.sync.run()).isTrue();
	}

}
