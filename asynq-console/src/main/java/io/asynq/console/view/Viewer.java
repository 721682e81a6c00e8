package io.asynq.console.view;

import io.asynq.console.http.ConsoleCall;

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

	boolean sees(String queue);

	boolean showsPayloads(String queue);

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
