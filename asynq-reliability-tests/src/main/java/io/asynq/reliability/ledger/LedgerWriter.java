package io.asynq.reliability.ledger;

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
 * Appends what one process sees to its file of the ledger: one write per line, so that a
 * process may be killed at any moment and loses nothing of what it has written. Safe for
 * concurrent use. Lines are tab-separated; Go workers write the same:
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
	 * Opens the file of a process.
	 * @param ledger the folder of the ledger
	 * @param process the name of the process, used by no other
	 * @param clock the clock of this machine, whatever clock else is worked with
	 * @return the writer
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

	/**
	 * Logs what a producer was told.
	 * @param answer the answer
	 * @param task the task
	 * @param maxRetry its retries
	 * @param detail what it is to do, or the error
	 */
	public void enqueued(Enqueued.Answer answer, TaskKey task, int maxRetry, String detail) {
		write(answer.name().charAt(0), now(), task.queue(), task.id(), maxRetry, oneLine(detail));
	}

	/**
	 * Logs that this worker got a task from Redis.
	 * @param task the task
	 */
	public void taken(TaskKey task) {
		write('T', now(), task.queue(), task.id());
	}

	/**
	 * Logs that a handler starts.
	 * @param task the task
	 * @param attempt how many retries came before
	 * @return the number of this run, for {@link #ended}
	 */
	public long started(TaskKey task, int attempt) {
		long run = this.runs.incrementAndGet();
		write('S', now(), task.queue(), task.id(), attempt, run);
		return run;
	}

	/**
	 * Logs that a handler has ended; to be called by the handler itself, so before
	 * anything of it can be in Redis.
	 * @param task the task
	 * @param attempt how many retries came before
	 * @param run the number of the run
	 * @param outcome how it ended
	 */
	public void ended(TaskKey task, int attempt, long run, RunOutcome outcome) {
		write('E', now(), task.queue(), task.id(), attempt, run, outcome);
	}

	/**
	 * Logs that an aggregator makes one task of many.
	 * @param digest the task, which may be stored or not
	 * @param members the ids of the tasks it is made of
	 */
	public void aggregated(TaskKey digest, List<String> members) {
		write('G', now(), digest.queue(), digest.id(), String.join(",", members));
	}

	/**
	 * Logs what a handler was given in place of many tasks.
	 * @param digest the task
	 * @param members the ids that it names
	 */
	public void given(TaskKey digest, List<String> members) {
		write('M', now(), digest.queue(), digest.id(), String.join(",", members));
	}

	/**
	 * Logs that a handler was given the task of a periodic task.
	 * @param task the task
	 * @param entry the id of the periodic task
	 * @param second when it was to fire, s since 1970
	 */
	public void fired(TaskKey task, String entry, long second) {
		write('P', now(), task.queue(), task.id(), entry, second);
	}

	/**
	 * Logs that this process is ready to enqueue periodic tasks.
	 * @param ahead by how much its clock is ahead
	 */
	public void scheduling(Duration ahead) {
		write('B', now(), ahead.toMillis());
	}

	/**
	 * Logs that this process is about to enqueue periodic tasks no more.
	 */
	public void schedulingEnds() {
		write('X', now());
	}

	/**
	 * Logs a fault.
	 * @param window the time during which harm was done
	 */
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
