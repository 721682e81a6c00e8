package io.asynq.cli.command;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * The program with the options that every command has. Values come from the command line,
 * else from variables or a file, so they have no defaults here.
 */
@Command(name = "asynq", description = "Looks at queues and tasks of asynq, and acts on them.",
		footer = { "  asynq stats", "  asynq task ls -q default -s retry", "  asynq task cancel --help" })
public final class AsynqCommand {

	@Option(names = "--config", scope = ScopeType.INHERIT, paramLabel = "<file>",
			description = "File with default values of flags (default: ~/.asynq.yaml).")
	private @Nullable String config;

	@Option(names = { "-u", "--uri" }, scope = ScopeType.INHERIT, paramLabel = "<uri>",
			description = "Where Redis is: host:port, redis://, rediss://, redis-sentinel:// or redis-cluster:// "
					+ "(default: 127.0.0.1:6379).")
	private @Nullable String uri;

	@Option(names = { "-n", "--db" }, scope = ScopeType.INHERIT, paramLabel = "<number>",
			description = "Number of the database (default: 0).")
	private @Nullable String db;

	@Option(names = { "-p", "--password" }, scope = ScopeType.INHERIT, paramLabel = "<password>",
			description = "Password; others see it in the list of processes, but not ASYNQ_PASSWORD.")
	private @Nullable String password;

	@Option(names = { "-U", "--username" }, scope = ScopeType.INHERIT, paramLabel = "<name>",
			description = "Name of the user.")
	private @Nullable String username;

	@Option(names = "--cluster", scope = ScopeType.INHERIT, negatable = true, description = "Redis is a cluster.")
	private @Nullable Boolean cluster;

	@Option(names = "--cluster_addrs", scope = ScopeType.INHERIT, paramLabel = "<host:port,…>",
			description = "Nodes of the cluster (default: 127.0.0.1:7000 to 7005).")
	private @Nullable String clusterAddrs;

	@Option(names = "--tls", scope = ScopeType.INHERIT, negatable = true, description = "Use TLS.")
	private @Nullable Boolean tls;

	@Option(names = "--tls_server", scope = ScopeType.INHERIT, paramLabel = "<name>",
			description = "Use TLS, and expect this name in the certificate.")
	private @Nullable String tlsServer;

	@Option(names = "--insecure", scope = ScopeType.INHERIT, negatable = true, description = "Accept any certificate.")
	private @Nullable Boolean insecure;

	@Option(names = { "-o", "--output" }, scope = ScopeType.INHERIT, paramLabel = "<format>",
			completionCandidates = Candidates.Formats.class,
			description = "table, wide, json or jsonl (default: table).")
	private @Nullable String output;

	@Option(names = { "-h", "--help" }, scope = ScopeType.INHERIT, usageHelp = true, description = "Show this help.")
	private boolean help;

	@Option(names = { "-v", "--version" }, versionHelp = true, description = "Print the version.")
	private boolean version;

	/** Returns what the command line says, by the names of flags. */
	Map<String, String> flags() {
		Map<String, String> flags = new LinkedHashMap<>();
		put(flags, "config", this.config);
		put(flags, "uri", this.uri);
		put(flags, "db", this.db);
		put(flags, "password", this.password);
		put(flags, "username", this.username);
		put(flags, "cluster", this.cluster);
		put(flags, "cluster_addrs", this.clusterAddrs);
		put(flags, "tls", this.tls);
		put(flags, "tls_server", this.tlsServer);
		put(flags, "insecure", this.insecure);
		put(flags, "output", this.output);
		return flags;
	}

	private static void put(Map<String, String> flags, String name, @Nullable Object value) {
		if (value != null) {
			flags.put(name, value.toString());
		}
	}

}
