package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.worker.DeadlineWatch;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two thousand handlers at once that ignore their interrupt.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
@Timeout(900)
class StubbornHandlersIT {

	private static final String QUEUE = "default";

	private static final int HANDLERS = 2000;

	private static final int WAITING = 100;

	private static final Duration PATIENCE = Duration.ofMinutes(4);

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final Logger logger = (Logger) LoggerFactory.getLogger(DeadlineWatch.class);

	private final LoggedIds logged = new LoggedIds();

	private final Set<String> started = ConcurrentHashMap.newKeySet();

	private final CountDownLatch release = new CountDownLatch(1);

	StubbornHandlersIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@BeforeEach
	void listen() {
		this.logged.start();
		this.logger.addAppender(this.logged);
		// Two thousand stack traces on the console help nobody
		this.logger.setAdditive(false);
	}

	@AfterEach
	void detach() {
		this.release.countDown();
		this.logger.setAdditive(true);
		this.logger.detachAppender(this.logged);
	}

	@Test
	void stubbornHandlersKeepSlotsAndAreReportedAndLogged() {
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.concurrency(HANDLERS)
				.stuckHandlerTimeout(Duration.ofSeconds(1))
				.shutdownTimeout(Duration.ofSeconds(30)))
			.handling((task, context) -> {
				this.started.add(context.taskId());
				awaitRelease();
				return null;
			})) {
			enqueue(server, "stubborn", HANDLERS);
			server.start();
			await().atMost(PATIENCE).until(() -> this.started.size() == HANDLERS);
			enqueue(server, "waiting", WAITING);
			// Signals are lost before the server listens, and when it must listen anew
			await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofSeconds(2)).until(() -> {
				if (server.server().statistics().stuckHandlers() == HANDLERS) {
					return true;
				}
				this.started.forEach(server.broker.cancellations()::cancel);
				return false;
			});
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, HANDLERS, HANDLERS));
			assertThat(this.logged.ids()).isEqualTo(this.started);
			assertThat(server.server().statistics().activeWorkers()).isEqualTo(HANDLERS);
			assertThat(server.server().statistics().hangingHandlers()).isEqualTo(HANDLERS);
			assertThat(this.started).as("no slot is given away while its handler runs").hasSize(HANDLERS);
			assertThat(this.state.pending(QUEUE)).hasSize(WAITING);
			this.release.countDown();
			await().atMost(PATIENCE).until(() -> this.started.size() == HANDLERS + WAITING);
			await().until(() -> server.server().statistics().activeWorkers() == 0);
			assertThat(server.server().statistics().outcomesDropped()).as("failures were written").isZero();
		}
	}

	private static void enqueue(TestServer server, String name, int count) {
		List<EnqueueRequest> requests = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			requests.add(new EnqueueRequest(RedisState.message(QUEUE, name + "-" + i).timeoutSeconds(3600).build(),
					new Placement.Pending(), null));
		}
		server.broker.enqueuer().enqueueAll(requests);
	}

	private void awaitRelease() {
		while (true) {
			try {
				this.release.await();
				return;
			}
			catch (InterruptedException ex) {
				// Ignored on purpose
			}
		}
	}

	private static final class LoggedIds extends AppenderBase<ILoggingEvent> {

		private static final Pattern ID = Pattern.compile("task (stubborn-\\d+) ");

		private final Set<String> ids = ConcurrentHashMap.newKeySet();

		Set<String> ids() {
			return new HashSet<>(this.ids);
		}

		@Override
		protected void append(ILoggingEvent event) {
			Matcher id = ID.matcher(event.getFormattedMessage());
			if (id.find()) {
				this.ids.add(id.group(1));
			}
		}

	}

}
