package io.asynq.broker;

/**
 * Is told of data that makes no sense. Called by many threads; must not block or throw.
 */
@FunctionalInterface
public interface BrokenTaskListener {

	void onBrokenTask(BrokenTask task);

}
