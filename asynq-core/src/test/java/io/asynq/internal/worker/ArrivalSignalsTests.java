package io.asynq.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.TestLanes;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Waker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ArrivalSignalsTests {

	private static final List<String> QUEUES = List.of("a", "b");

	private final Logger logger = (Logger) LoggerFactory.getLogger(LoopErrorLog.class);

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	private final QueueReadiness readiness = TestFetchers.empty(QUEUES);

	private final ArrivalSignals signals = new ArrivalSignals(QUEUES, this.readiness, new Waker(), new Waker(),
			Lanes.single());

	private final Broken broken = new Broken();

	@BeforeEach
	void listen() {
		this.logged.start();
		this.logger.addAppender(this.logged);
		this.signals.open();
		this.signals.setLive(Lanes.UNKNOWN, this.broken);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.logged);
	}

	@Test
	void brokenReadConnectionIsLoggedClosedAndNotUsedAgain() {
		assertThat(this.signals.watchPending()).isTrue();
		assertThat(this.readiness.any()).isTrue();
		assertThat(this.signals.isLive("a")).isFalse();
		assertThat(this.broken.closed).isTrue();
		assertThat(this.logged.list).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("asynq-arrival-watch", "broken"));
		TestFetchers.empty(this.readiness, QUEUES);
		assertThat(this.signals.watchPending()).isFalse();
		assertThat(this.logged.list).hasSize(1);
	}

	@Test
	void errorOfWatchDuringStopIsNotLogged() {
		this.broken.before = this.signals::close;
		this.signals.watchPending();
		this.signals.watchDelayed(QUEUES);
		assertThat(this.logged.list).isEmpty();
	}

	@Test
	void subscriptionReadyAfterStopIsNotUsed() {
		this.signals.close();
		this.signals.setLive(Lanes.UNKNOWN, this.broken);
		assertThat(this.signals.isLive("a")).isFalse();
	}

	@Test
	void lossOfAbandonedSubscriptionDoesNotAffectCurrentOne() {
		Broken present = new Broken();
		this.signals.setLive(Lanes.UNKNOWN, present);
		this.signals.lost(Lanes.UNKNOWN, this.broken);
		assertThat(this.signals.isLive("a")).isTrue();
		this.signals.lost(Lanes.UNKNOWN, present);
		assertThat(this.signals.isLive("a")).isFalse();
	}

	@Test
	void scheduledWakeUpIsForgottenOnRewatch() {
		this.signals.onDelayed("a");
		assertThat(QUEUES).filteredOn(this.signals::isDelayed).containsExactly("a");
		this.signals.watchDelayed(List.of("a"));
		assertThat(QUEUES).noneMatch(this.signals::isDelayed);
	}

	@Test
	void possiblyMissedArrivalsMarkQueues() {
		this.signals.onMissed(QUEUES);
		assertThat(QUEUES).allMatch(this.signals::isDelayed);
		assertThat(this.readiness.any()).isTrue();
		this.signals.forgetDelayed();
		assertThat(QUEUES).noneMatch(this.signals::isDelayed);
	}

	@Test
	void eachLaneAnnouncesTheArrivalsOfItsOwnQueues() {
		try (TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"))) {
			ArrivalSignals signals = on(cluster);
			signals.setLive("n1", new Told());
			assertThat(QUEUES).filteredOn(signals::isLive).containsExactly("a");
			assertThat(signals.queuesOf("n2")).containsExactly("b");
			Told second = new Told();
			signals.setLive("n2", second);
			assertThat(signals.watchPending()).isFalse();
			assertThat(second.watched).containsExactly("b");
			signals.lost("n1", second);
			assertThat(QUEUES).allMatch(signals::isLive);
		}
	}

	@Test
	void brokenWatchOfOneLaneLeavesTheOthers() {
		try (TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"))) {
			ArrivalSignals signals = on(cluster);
			signals.setLive("n1", this.broken);
			signals.setLive("n2", new Told());
			assertThat(signals.watchPending()).isTrue();
			assertThat(this.broken.closed).isTrue();
			assertThat(QUEUES).filteredOn(signals::isLive).containsExactly("b");
			assertThat(this.readiness.unwatched()).isEmpty();
		}
	}

	@Test
	void laneThatHangsDelaysNoOther() throws Exception {
		try (TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"), Duration.ofMillis(1))) {
			ArrivalSignals signals = on(cluster);
			Told hanging = new Told();
			hanging.answers = new CountDownLatch(1);
			Told other = new Told();
			signals.setLive("n1", hanging);
			signals.setLive("n2", other);
			signals.watchPending();
			await().until(() -> other.watched.equals(List.of("b")));
			hanging.ready = Set.of("a");
			hanging.answers.countDown();
			await().until(this.readiness::any);
		}
	}

	@Test
	void redirectedQueueIsLookedAtAndTriedAgain() {
		try (TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"))) {
			ArrivalSignals signals = on(cluster);
			signals.setLive("n1", new Told());
			signals.setLive("n2", new Told());
			assertThat(signals.onMoved("a", null)).isFalse();
			assertThat(this.readiness.any()).isTrue();
			assertThat(signals.isDelayed("a")).isTrue();
			assertThat(QUEUES).filteredOn(signals::isLive).containsExactly("b");
			signals.tryAgain();
			assertThat(QUEUES).allMatch(signals::isLive);
		}
	}

	@Test
	void queueIsWatchedByTheMasterThatARedirectionNames() {
		try (TestLanes cluster = TestLanes.of(Map.of("a", "n1", "b", "n2"))) {
			ArrivalSignals signals = on(cluster);
			signals.setLive("n2", new Told());
			assertThat(signals.isLive("a")).isFalse();
			assertThat(signals.onMoved("a", "n2")).isTrue();
			assertThat(signals.isLive("a")).isTrue();
			assertThat(signals.onMoved("a", "n2")).as("news").isFalse();
		}
	}

	private ArrivalSignals on(TestLanes cluster) {
		ArrivalSignals signals = new ArrivalSignals(QUEUES, this.readiness, new Waker(), new Waker(), cluster.lanes());
		signals.open();
		return signals;
	}

	private static final class Broken implements ArrivalSubscription {

		private Runnable before = () -> {
		};

		private boolean closed;

		@Override
		public Set<String> watchPending(Collection<String> queues) {
			this.before.run();
			throw new BrokerUnavailableException("broken", null);
		}

		@Override
		public void watchDelayed(Collection<String> queues) {
			this.before.run();
			throw new BrokerUnavailableException("broken", null);
		}

		@Override
		public void listen() {
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

	private static final class Told implements ArrivalSubscription {

		private final List<String> watched = new CopyOnWriteArrayList<>();

		private CountDownLatch answers = new CountDownLatch(0);

		private Set<String> ready = Set.of();

		@Override
		public Set<String> watchPending(Collection<String> queues) {
			this.watched.addAll(queues);
			try {
				this.answers.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return this.ready;
		}

		@Override
		public void watchDelayed(Collection<String> queues) {
		}

		@Override
		public void listen() {
		}

		@Override
		public void close() {
		}

	}

}
