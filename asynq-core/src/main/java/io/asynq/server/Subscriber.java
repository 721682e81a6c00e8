package io.asynq.server;

import java.time.Duration;

import io.asynq.TaskCanceledException;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Cancels tasks of this server when somebody asks for it (asynq O16).
 */
final class Subscriber extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Subscriber.class);

	private final ServerRuntime runtime;

	private final TaskExecution execution;

	private final SubscriptionLoop subscriptions = new SubscriptionLoop();

	Subscriber(ServerRuntime runtime, TaskExecution execution) {
		super(ServerPhase.SUBSCRIBER, runtime.loops());
		this.runtime = runtime;
		this.execution = execution;
	}

	@Override
	protected void starting() {
		this.subscriptions.open();
	}

	@Override
	protected Duration runOnce() {
		this.subscriptions.listen(this.runtime.broker()
			.cancellations()
			.subscribe(() -> logger.debug("Listening for cancellations"), this::cancel));
		return Duration.ZERO;
	}

	@Override
	protected void stopping() {
		lastOutcomes(this.subscriptions::close);
	}

	private void cancel(String taskId) {
		for (Attempt attempt : this.runtime.active().withId(taskId)) {
			logger.info("Cancels {}", attempt);
			this.execution.abort(attempt, new TaskCanceledException());
		}
	}

}
