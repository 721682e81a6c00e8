package io.asynq.interop.peer;

/**
 * Who gives and who takes: each test that can runs both ways.
 */
public enum Direction {

	/** Java is first: enqueues, cancels, fails, shuts down. */
	JAVA_TO_GO,

	/** Go is first. */
	GO_TO_JAVA;

	public Peer first(Peers peers) {
		return (this == JAVA_TO_GO) ? peers.java() : peers.go();
	}

	public Peer second(Peers peers) {
		return (this == JAVA_TO_GO) ? peers.go() : peers.java();
	}

}
