package io.asynq.interop.peer;

/**
 * Which side comes first: each test that can runs both ways.
 */
public enum Direction {

	/** Java comes first: it enqueues, cancels, fails or shuts down. */
	JAVA_TO_GO,

	/** Go comes first. */
	GO_TO_JAVA;

	public Peer first(Peers peers) {
		return (this == JAVA_TO_GO) ? peers.java() : peers.go();
	}

	public Peer second(Peers peers) {
		return (this == JAVA_TO_GO) ? peers.go() : peers.java();
	}

}
