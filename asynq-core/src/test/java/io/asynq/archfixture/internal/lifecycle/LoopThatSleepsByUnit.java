package io.asynq.archfixture.internal.lifecycle;

import java.util.concurrent.TimeUnit;

/**
 * Breaks the rule that nobody sleeps.
 */
public class LoopThatSleepsByUnit {

	void pause() throws InterruptedException {
		TimeUnit.SECONDS.sleep(1);
	}

}
