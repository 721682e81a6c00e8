package io.asynq.console.task;

import io.asynq.console.http.ConsoleCall;

/**
 * Who looks, and at what.
 */
public interface Viewer {

	/** Whoever is subscribed: payloads are left out, since the same goes to everybody. */
	Viewer ANYBODY = new Viewer() {

		@Override
		public boolean sees(String queue) {
			return true;
		}

		@Override
		public boolean showsPayloads(String queue) {
			return false;
		}

	};

	/** Returns whether a queue may be seen, which is left out otherwise. */
	boolean sees(String queue);

	/** Returns whether payloads, results and values of headers are shown. */
	boolean showsPayloads(String queue);

	/** Returns who has called. */
	static Viewer of(ConsoleCall call) {
		return new Viewer() {

			@Override
			public boolean sees(String queue) {
				return call.sees(queue);
			}

			@Override
			public boolean showsPayloads(String queue) {
				return call.showsPayloads(queue);
			}

		};
	}

}
