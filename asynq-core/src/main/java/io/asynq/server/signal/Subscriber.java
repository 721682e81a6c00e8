package io.asynq.server.signal;

import java.time.Duration;

import io.asynq.broker.Signals;
import io.asynq.handler.TaskCanceledException;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.logging.OneLineLogger;
import io.asynq.server.attempt.ActiveTasks;
import io.asynq.server.attempt.Attempt;
import io.asynq.server.attempt.TaskMdc;
import io.asynq.server.work.TaskExecution;
import org.slf4j.Logger;

/**
 * Cancels tasks of this server on request.
 */
public final class Subscriber extends PeriodicComponent {

	private static final Logger logger = OneLineLogger.of(Subscriber.class);

	private final Signals source;

	private final ActiveTasks active;

	private final TaskExecution execution;

	private final SubscriptionLoop subscriptions = new SubscriptionLoop();

	public Subscriber(Signals source, ActiveTasks active, TaskExecution execution, Loops loops) {
		super(ServerPhase.SUBSCRIBER, loops);
		expectEndlessRuns();
		this.source = source;
		this.active = active;
		this.execution = execution;
	}

	@Override
	protected void starting() {
		this.subscriptions.open();
	}

	@Override
	protected Duration runOnce() {
		this.subscriptions.listen(this.source.subscribeToCancellations(this::works, this::cancel));
		return Duration.ZERO;
	}

	@Override
	protected void stopping() {
		runAtStopForOutcomes(this.subscriptions::close);
	}

	private void cancel(String taskId) {
		for (Attempt attempt : this.active.withId(taskId)) {
			TaskMdc.during(attempt.message(), () -> logger.info("Canceling {}", attempt));
			this.execution.abort(attempt, new TaskCanceledException());
		}
	}

}
