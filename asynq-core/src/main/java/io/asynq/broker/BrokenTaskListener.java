package io.asynq.broker;

/**
 * Is told of data that makes no sense. Called by many threads; must not block. What it
 * throws is logged.
 */
@FunctionalInterface
public interface BrokenTaskListener {

	void onBrokenTask(BrokenTask task);

}
