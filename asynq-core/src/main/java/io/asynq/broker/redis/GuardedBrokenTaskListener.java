package io.asynq.broker.redis;

import io.asynq.broker.BrokenTask;
import io.asynq.broker.BrokenTaskListener;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Keeps what a listener throws from the tasks that came with the one it is told of.
 */
final class GuardedBrokenTaskListener implements BrokenTaskListener {

	private static final Logger logger = OneLineLogger.of(GuardedBrokenTaskListener.class);

	private final BrokenTaskListener listener;

	GuardedBrokenTaskListener(BrokenTaskListener listener) {
		this.listener = listener;
	}

	@Override
	public void onBrokenTask(BrokenTask task) {
		UserCode.run(() -> this.listener.onBrokenTask(task), (shown) -> logger.error(
				"BrokenTaskListener failed; a task of queue '{}' that makes no sense is dealt with all the same",
				task.queue(), shown));
	}

}
