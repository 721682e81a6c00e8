package io.asynq.test.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends the records of one process to its file of the ledger, with one write per line:
 * when the process is killed, no line is lost. Safe for concurrent use. Lines are
 * tab-separated; Go workers write the same:
 *
 * <pre>
 * A | R | U   time queue id max-retry detail      acknowledged, refused, unknown
 * T           time queue id                       a Java worker got a task
 * S           time queue id attempt run           a handler starts
 * E           time queue id attempt run outcome   a handler has ended
 * G           time queue id member,…              an aggregator makes a task of members
 * M           time queue id member,…              a handler was given such a task
 * P           time queue id entry second          a handler was given a periodic task
 * B           time milliseconds                   a scheduler is ready, its clock is ahead
 * X           time                                a scheduler is about to end
 * F           start end name worker explains detail
 * </pre>
 *
 * Times are microseconds since 1970 of this machine's clock; runs are counted within the
 * process.
 */
public final class LedgerWriter implements AutoCloseable {

	static final String SUFFIX = ".ledger";

	private final FileChannel file;

	private final Clock clock;

	private final AtomicLong runs = new AtomicLong();

	private LedgerWriter(FileChannel file, Clock clock) {
		this.file = file;
		this.clock = clock;
	}

	/**
	 * @param process a name that no other process uses
	 * @param clock the clock of this machine, even if the process works with another one
	 */
	public static LedgerWriter open(Path ledger, String process, Clock clock) {
		try {
			Files.createDirectories(ledger);
			return new LedgerWriter(FileChannel.open(ledger.resolve(process + SUFFIX), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE, StandardOpenOption.APPEND), clock);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The ledger cannot be written", ex);
		}
	}

	public void enqueued(Enqueued.Answer answer, TaskKey task, int maxRetry, String detail) {
		write(answer.name().charAt(0), now(), task.queue(), task.id(), maxRetry, oneLine(detail));
	}

	public void taken(TaskKey task) {
		write('T', now(), task.queue(), task.id());
	}

	/**
	 * @param attempt how many retries came before
	 */
	public long started(TaskKey task, int attempt) {
		long run = this.runs.incrementAndGet();
		write('S', now(), task.queue(), task.id(), attempt, run);
		return run;
	}

	/** The handler itself calls this, before the outcome can be in Redis. */
	public void ended(TaskKey task, int attempt, long run, RunOutcome outcome) {
		write('E', now(), task.queue(), task.id(), attempt, run, outcome);
	}

	/** The new task may be stored or not. */
	public void aggregated(TaskKey digest, List<String> members) {
		write('G', now(), digest.queue(), digest.id(), String.join(",", members));
	}

	public void given(TaskKey digest, List<String> members) {
		write('M', now(), digest.queue(), digest.id(), String.join(",", members));
	}

	/**
	 * @param second the time of the fire, s since 1970
	 */
	public void fired(TaskKey task, String entry, long second) {
		write('P', now(), task.queue(), task.id(), entry, second);
	}

	public void scheduling(Duration ahead) {
		write('B', now(), ahead.toMillis());
	}

	public void schedulingEnds() {
		write('X', now());
	}

	public void window(FaultWindow window) {
		write('F', micros(window.start()), micros(window.end()), window.fault(), window.worker(), window.explains(),
				oneLine(window.detail()));
	}

	@Override
	public void close() {
		try {
			this.file.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void write(char kind, Object... fields) {
		StringBuilder line = new StringBuilder(96).append(kind);
		for (Object field : fields) {
			line.append('\t').append(field);
		}
		ByteBuffer bytes = ByteBuffer.wrap(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
		try {
			this.file.write(bytes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The ledger cannot be written", ex);
		}
	}

	private long now() {
		return micros(this.clock.instant());
	}

	private static long micros(Instant time) {
		return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
	}

	private static String oneLine(String text) {
		return text.replaceAll("\\s+", " ");
	}

}
