package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.inspect.QueueStats;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class QueueReadsTests {

	private final FakeQueues queues = new FakeQueues();

	private final AtomicLong nanos = new AtomicLong();

	private final QueueSnapshots snapshots = new QueueSnapshots(Duration.ofMinutes(1), this.nanos::get);

	private final MemorySamples memory = new MemorySamples(Duration.ofMinutes(1), this.nanos::get);

	private final QueueReads reads = new QueueReads(this.queues, new QueueFilter(List.of(), 500), this.snapshots,
			this.memory);

	private final Logger logger = (Logger) LoggerFactory.getLogger(QueueReads.class);

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logged.start();
		this.logger.addAppender(this.logged);
		this.queues.queue("low", 5, 20, 4);
		this.queues.queue("high", 1, 0, 0);
	}

	@AfterEach
	void stopListening() {
		this.logger.detachAppender(this.logged);
	}

	@Test
	void unreadableQueueIsCountedAndHarmsNoOther() {
		this.queues.refused.add("low");
		this.reads.read();
		assertThat(this.snapshots.queues()).containsExactly("high");
		assertThat(this.reads.errors()).isOne();
		assertThat(this.queues.estimated).containsExactly("high");
	}

	@Test
	void outageIsCountedAndKeepsValues() {
		this.reads.read();
		this.queues.away = true;
		this.reads.read();
		this.reads.read();
		assertThat(this.reads.errors()).isEqualTo(2);
		assertThat(this.snapshots.value("low", QueueStats::groups)).isEqualTo(3);
	}

	@Test
	void serversAreListedOnceInThirtySeconds() {
		this.queues.servers.put("low", 2L);
		this.reads.read();
		this.reads.read();
		assertThat(this.queues.listed).hasValue(1);
		assertThat(this.snapshots.consumers("low")).isEqualTo(2);
		assertThat(this.snapshots.consumers("high")).as("nobody serves it").isZero();
		this.queues.servers.remove("low");
		this.nanos.addAndGet(Duration.ofSeconds(30).toNanos());
		this.reads.read();
		assertThat(this.snapshots.consumers("low")).isZero();
	}

	@Test
	void serversThatCannotBeReadAreUnknownAndHarmNothingElse() {
		this.queues.servers.put("low", 2L);
		this.reads.read();
		this.queues.serversRefused = true;
		this.nanos.addAndGet(Duration.ofSeconds(90).toNanos());
		this.reads.read();
		assertThat(this.snapshots.consumers("low")).as("as it was").isEqualTo(2);
		this.nanos.addAndGet(1);
		this.reads.read();
		assertThat(this.snapshots.consumers("low")).isNaN();
		assertThat(this.snapshots.value("low", QueueStats::groups)).isEqualTo(3);
		assertThat(this.memory.value("low")).isEqualTo(500);
		assertThat(this.reads.errors()).isEqualTo(2);
	}

	@Test
	void memoryIsEstimatedOnceAMinute() {
		this.reads.read();
		this.reads.read();
		assertThat(this.memory.value("low")).isEqualTo(500);
		assertThat(this.queues.estimated).containsExactlyInAnyOrder("low", "high");
		this.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
		this.reads.read();
		assertThat(this.queues.estimated).hasSize(4);
	}

	@Test
	void memoryIsNotEstimatedWhenSwitchedOff() {
		new QueueReads(this.queues, new QueueFilter(List.of(), 500), this.snapshots, null).read();
		assertThat(this.snapshots.queues()).hasSize(2);
		assertThat(this.queues.estimated).isEmpty();
	}

	@Test
	void missingRightToEstimateMemoryIsSaidOnceAndHarmsNothingElse() {
		this.queues.memoryRefused = true;
		for (int i = 0; i < 3; i++) {
			this.reads.read();
			this.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
		}
		this.reads.read();
		assertThat(this.snapshots.value("low", QueueStats::groups)).isEqualTo(3);
		assertThat(this.memory.value("low")).isNaN();
		assertThat(this.logged.list).filteredOn((event) -> event.getLevel() == Level.WARN)
			.extracting(ILoggingEvent::getFormattedMessage)
			.singleElement()
			.asString()
			.contains("No right to run MEMORY", "asynq.metrics.queues.memory-usage=false");
	}

}
