package io.asynq.server.work;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.BrokerUnavailableException;
import io.asynq.broker.ArrivalSubscription;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.Waker;
import io.asynq.server.fetch.QueueReadiness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class ArrivalSignalsTests {

	private static final List<String> QUEUES = List.of("a", "b");

	private final Logger logger = (Logger) LoggerFactory.getLogger(LoopErrorLog.class);

	private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

	private final ArrivalSignals signals = new ArrivalSignals(QUEUES, new QueueReadiness(QUEUES), new Waker(),
			new Waker(), new LoopErrorLog());

	private final Broken broken = new Broken();

	@BeforeEach
	void listen() {
		this.logged.start();
		this.logger.addAppender(this.logged);
		this.signals.open();
		this.signals.setLive(this.broken);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.logged);
	}

	@Test
	void brokenReadConnectionIsLoggedClosedAndNotUsedAgain() {
		assertThat(this.signals.watchPending(QUEUES)).isEqualTo(QUEUES);
		assertThat(this.signals.isLive()).isFalse();
		assertThat(this.broken.closed).isTrue();
		assertThat(this.logged.list).singleElement()
			.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("asynq-arrival-watch", "broken"));
		assertThat(this.signals.watchPending(QUEUES)).isEmpty();
		assertThat(this.logged.list).hasSize(1);
	}

	@Test
	void errorOfWatchDuringStopIsNotLogged() {
		this.broken.before = this.signals::close;
		assertThat(this.signals.watchPending(QUEUES)).isEqualTo(QUEUES);
		this.signals.watchDelayed(QUEUES);
		assertThat(this.logged.list).isEmpty();
	}

	@Test
	void subscriptionReadyAfterStopIsNotUsed() {
		this.signals.close();
		this.signals.setLive(this.broken);
		assertThat(this.signals.isLive()).isFalse();
	}

	@Test
	void lossOfAbandonedSubscriptionDoesNotAffectCurrentOne() {
		Broken present = new Broken();
		this.signals.setLive(present);
		this.signals.lost(this.broken);
		assertThat(this.signals.isLive()).isTrue();
		this.signals.lost(present);
		assertThat(this.signals.isLive()).isFalse();
	}

	@Test
	void scheduledWakeUpIsForgottenOnRewatch() {
		this.signals.onDelayed("a");
		assertThat(QUEUES).filteredOn(this.signals::isDelayed).containsExactly("a");
		this.signals.watchDelayed(List.of("a"));
		assertThat(QUEUES).noneMatch(this.signals::isDelayed);
	}

	@Test
	void possiblyMissedArrivalsMarkAllQueuesOnce() {
		this.signals.onMissed();
		assertThat(QUEUES).allMatch(this.signals::isDelayed);
		assertThat(this.signals.takeMissed()).isTrue();
		assertThat(this.signals.takeMissed()).isFalse();
		this.signals.forgetDelayed();
		assertThat(QUEUES).noneMatch(this.signals::isDelayed);
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

}
