package io.asynq.archfixture.internal.lifecycle;

/**
 * Breaks the rule that nobody sleeps.
 */
public class LoopThatSleeps {

	void pause() throws InterruptedException {
		Thread.sleep(1);
	}

}
