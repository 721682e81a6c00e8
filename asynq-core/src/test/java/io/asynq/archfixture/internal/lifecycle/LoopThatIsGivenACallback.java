package io.asynq.archfixture.internal.lifecycle;

/**
 * Breaks the rule that callbacks are passed to constructors.
 */
public class LoopThatIsGivenACallback {

	private Runnable idle;

	LoopThatIsGivenACallback(Runnable idle) {
		this.idle = idle;
	}

	void whenIdle(Runnable idle) {
		this.idle = idle;
	}

	void run(Runnable work) {
		work.run();
		this.idle.run();
	}

}
