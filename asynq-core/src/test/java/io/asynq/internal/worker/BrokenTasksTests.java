package io.asynq.internal.worker;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.server.BrokenTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BrokenTasksTests {

	private final AtomicLong nanos = new AtomicLong();

	private final BrokenTasks tasks = new BrokenTasks(this.nanos::get);

	private final Logger logger = (Logger) LoggerFactory.getLogger(BrokenTasks.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void attach() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.log);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNUSABLE_KEY")
	void countsEveryBrokenTaskAndLogsEachOnce(BrokenTask.Kind kind) {
		for (int i = 0; i < 3; i++) {
			this.tasks.onBrokenTask(new BrokenTask("default", "t1", kind));
		}
		assertThat(this.tasks.count(kind)).isEqualTo(3);
		assertThat(lines()).singleElement().asString().contains("t1", "default");
	}

	@Test
	void keyCountsOnceInTenMinutesAndIsLoggedOnce() {
		for (int minute = 0; minute < 20; minute++) {
			for (String key : List.of("pending", "scheduled")) {
				this.tasks
					.onBrokenTask(new BrokenTask("default", "asynq:{default}:" + key, BrokenTask.Kind.UNUSABLE_KEY));
			}
			this.nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
		}
		assertThat(this.tasks.count(BrokenTask.Kind.UNUSABLE_KEY)).isEqualTo(4);
		assertThat(lines()).hasSize(2);
	}

	@Test
	void keyIsNotCalledTask() {
		this.tasks.onBrokenTask(new BrokenTask("default", "asynq:{default}:scheduled", BrokenTask.Kind.UNUSABLE_KEY));
		assertThat(lines()).singleElement()
			.asString()
			.startsWith("Key asynq:{default}:scheduled of queue default")
			.contains("renamed or deleted")
			.doesNotContain("Task");
	}

	@Test
	void longIdsAreNotKeptInMemory() {
		String id = "x".repeat(1_000_000);
		this.tasks.onBrokenTask(new BrokenTask(id, id, BrokenTask.Kind.MISSING));
		this.log.list.clear();
		WeakReference<String> reference = new WeakReference<>(id);
		id = null;
		await().until(() -> {
			System.gc();
			return reference.get() == null;
		});
	}

	@Test
	void idIsLoggedOnOneLineAndCut() {
		this.tasks
			.onBrokenTask(new BrokenTask("default", "a\r\n2026 ERROR forged\u001b[31m", BrokenTask.Kind.UNDECODABLE));
		this.tasks.onBrokenTask(new BrokenTask("default", "x".repeat(100_000), BrokenTask.Kind.UNDECODABLE));
		assertThat(lines()).hasSize(2)
			.allSatisfy((line) -> assertThat(line).doesNotContainPattern("\\p{Cntrl}").hasSizeLessThan(400));
	}

	private List<String> lines() {
		return this.log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

}
