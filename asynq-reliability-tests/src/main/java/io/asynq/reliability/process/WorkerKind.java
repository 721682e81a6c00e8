package io.asynq.reliability.process;

/**
 * What a worker is made of.
 */
public enum WorkerKind {

	/** A Spring Boot application with the starter. */
	JAVA,

	/** A program with the Go library. */
	GO

}
