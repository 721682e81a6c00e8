package io.asynq.reliability.check;

import java.time.Duration;

/**
 * How soon work must go on.
 *
 * @param resumes from the begin of harm to a worker until what it had in hands is taken
 * up again, or from the end of harm to all until work goes on
 * @param lease how long a lease lasts after its last renewal
 * @param settling how long a Java worker watches a lease before it takes it for lost: so
 * much longer it takes where all who watched are harmed, too
 */
public record Promise(Duration resumes, Duration lease, Duration settling) {

}
