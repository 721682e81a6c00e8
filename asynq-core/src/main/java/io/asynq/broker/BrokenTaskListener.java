package io.asynq.broker;

/**
 * Is told of data that makes no sense, by one thread at a time. What it throws is logged.
 * Who has found the data waits for it for a second; if it hangs, up to 1,000 calls wait
 * for it, and further ones are dropped.
 */
@FunctionalInterface
public interface BrokenTaskListener {

	void onBrokenTask(BrokenTask task);

}
