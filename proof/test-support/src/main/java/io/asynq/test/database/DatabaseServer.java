package io.asynq.test.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.test.process.Child;
import io.asynq.test.process.Command;
import io.asynq.test.redis.Ports;
import org.awaitility.Awaitility;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL or MariaDB of the operating system's packages, not durable, run by an
 * unprivileged user where the test is root; the driver must be on the test's class path.
 */
public final class DatabaseServer implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final String USER = "nobody";

	private final Path folder;

	private final String url;

	private final Child process;

	private DatabaseServer(Path folder, String url, Child process) {
		this.folder = folder;
		this.url = url;
		this.process = process;
		try {
			Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(this::answers);
		}
		catch (RuntimeException ex) {
			process.close();
			throw ex;
		}
	}

	/**
	 * @throws IllegalStateException if there is none; Debian's package is
	 * {@code postgresql}
	 */
	public static DatabaseServer postgresql() {
		Path programs = program("/usr/lib/postgresql", "bin/postgres", "postgresql").getParent();
		Path folder = folder();
		int port = Ports.free();
		String data = folder.resolve("data").toString();
		run(folder, programs.resolve("initdb").toString(), "-D", data, "-U", "asynq", "-A", "trust", "-E", "UTF8",
				"--locale=C", "--no-sync");
		Child process = start("postgresql", folder,
				List.of(programs.resolve("postgres").toString(), "-D", data, "-p", String.valueOf(port), "-k",
						folder.toString(), "-c", "listen_addresses=" + Ports.HOST, "-c", "fsync=off"));
		return new DatabaseServer(folder, "jdbc:postgresql://" + Ports.HOST + ":" + port + "/postgres?user=asynq",
				process);
	}

	/**
	 * @throws IllegalStateException if there is none; Debian's package is
	 * {@code mariadb-server}
	 */
	public static DatabaseServer mariaDb() {
		String server = program("/usr", "sbin/mariadbd", "mariadb-server").toString();
		String installer = program("/usr", "bin/mariadb-install-db", "mariadb-server").toString();
		Path folder = folder();
		int port = Ports.free();
		String data = "--datadir=" + folder.resolve("data");
		run(folder, installer, "--no-defaults", data, "--auth-root-authentication-method=normal", "--skip-test-db");
		Child process = start("mariadb", folder,
				List.of(server, "--no-defaults", data, "--port=" + port, "--bind-address=" + Ports.HOST,
						"--socket=" + folder.resolve("socket"), "--pid-file=" + folder.resolve("pid"),
						"--innodb-flush-log-at-trx-commit=0"));
		return new DatabaseServer(folder,
				"jdbc:mariadb://" + Ports.HOST + ":" + port + "/asynq?createDatabaseIfNotExist=true&user=root",
				process);
	}

	/** The user is part of it. */
	public String url() {
		return this.url;
	}

	@Override
	public void close() {
		this.process.close();
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private boolean answers() throws SQLException {
		if (!this.process.isAlive()) {
			return false;
		}
		try (Connection connection = DriverManager.getConnection(this.url)) {
			return connection.isValid(1);
		}
	}

	private static Child start(String name, Path folder, List<String> command) {
		return Child.start(name, unprivileged(command), folder.resolve(name + ".log"));
	}

	private static void run(Path folder, String... command) {
		Command.run(folder, unprivileged(List.of(command)).toArray(String[]::new));
	}

	private static List<String> unprivileged(List<String> command) {
		if (!isRoot()) {
			return command;
		}
		List<String> all = new ArrayList<>(
				List.of("setpriv", "--reuid", USER, "--regid", "nogroup", "--clear-groups", "--"));
		all.addAll(command);
		return all;
	}

	private static boolean isRoot() {
		return System.getProperty("user.name").equals("root");
	}

	private static Path folder() {
		try {
			Path folder = Files.createTempDirectory("asynq-test-database");
			if (isRoot()) {
				Files.setOwner(folder,
						folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
			}
			return folder;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No folder for a database", ex);
		}
	}

	/** The highest of the versions there. */
	private static Path program(String root, String name, String debianPackage) {
		try (Stream<Path> versions = Files.isDirectory(Path.of(root)) ? Files.list(Path.of(root)) : Stream.empty()) {
			return Stream.concat(Stream.of(Path.of(root)), versions.sorted(Comparator.reverseOrder()))
				.map((folder) -> folder.resolve(name))
				.filter(Files::isExecutable)
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("No " + name + " below " + root
						+ ": install Debian's package " + debianPackage + ", as .ci/install does"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
