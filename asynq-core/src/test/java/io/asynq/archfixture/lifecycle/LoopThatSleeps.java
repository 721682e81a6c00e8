package io.asynq.archfixture.lifecycle;

/**
 * Breaks: nobody sleeps.
 */
public class LoopThatSleeps {

	void pause() throws InterruptedException {
		Thread.sleep(1);
	}

}
