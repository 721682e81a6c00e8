package io.asynq.interop.peer;

/**
 * The Go library refused a request.
 */
public final class GoException extends RuntimeException {

	private final String kind;

	GoException(String command, String kind, String message) {
		super(command + ": " + message);
		this.kind = kind;
	}

	/**
	 * Returns the kind of error: {@code duplicate}, {@code conflict}, {@code
	 * task-not-found}, {@code queue-not-found} or {@code other}.
	 */
	public String kind() {
		return this.kind;
	}

}
