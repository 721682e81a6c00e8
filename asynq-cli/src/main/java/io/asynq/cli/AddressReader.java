package io.asynq.cli;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.asynq.cli.RedisAddress.Kind;
import io.asynq.cli.RedisAddress.Node;
import io.asynq.cli.RedisAddress.Tls;
import org.jspecify.annotations.Nullable;

/**
 * Finds out from settings where Redis is. A URI is
 * {@code scheme://user:password@host:port,host:port/database?master=name}. Its parts
 * count as given where the URI is given; of two values from the same place, the separate
 * flag wins.
 */
final class AddressReader {

	private static final String DEFAULT_CLUSTER = "127.0.0.1:7000,127.0.0.1:7001,127.0.0.1:7002,127.0.0.1:7003,"
			+ "127.0.0.1:7004,127.0.0.1:7005";

	private final Settings settings;

	private final String scheme;

	private final String hosts;

	private final @Nullable String login;

	private final String path;

	private final @Nullable String master;

	private AddressReader(Settings settings, String uri) {
		this.settings = settings;
		int schemeEnd = uri.indexOf("://");
		this.scheme = (schemeEnd >= 0) ? uri.substring(0, schemeEnd).toLowerCase(Locale.ROOT) : "";
		String rest = (schemeEnd >= 0) ? uri.substring(schemeEnd + 3) : uri;
		// What a password has of these characters is no tail
		int tail = rest.lastIndexOf('@') + 1;
		while (tail < rest.length() && "?#".indexOf(rest.charAt(tail)) < 0) {
			tail++;
		}
		this.master = (tail < rest.length()) ? master(rest.substring(tail)) : null;
		rest = rest.substring(0, tail);
		int loginEnd = rest.lastIndexOf('@');
		this.login = (loginEnd >= 0) ? rest.substring(0, loginEnd) : null;
		rest = rest.substring(loginEnd + 1);
		int slash = rest.indexOf('/');
		this.hosts = (slash >= 0) ? rest.substring(0, slash) : rest;
		this.path = (slash >= 0) ? rest.substring(slash + 1) : "";
	}

	/** Fails with a message that shows no password. */
	static RedisAddress read(Settings settings) {
		return new AddressReader(settings, settings.get("uri", "127.0.0.1:6379").strip()).address();
	}

	private RedisAddress address() {
		Kind kind = kind();
		String username = preferred("username", uriUser());
		// One word before the host is a password, as in other programs for Redis
		String password = preferred("password",
				(this.login != null) ? decoded(this.login.substring(this.login.indexOf(':') + 1)) : null);
		String nodes = (kind == Kind.CLUSTER && !this.scheme.endsWith("cluster"))
				? this.settings.get("cluster_addrs", DEFAULT_CLUSTER) : this.hosts;
		int port = (kind == Kind.SENTINEL) ? 26379 : 6379;
		int database = database();
		if (kind == Kind.CLUSTER && database != 0) {
			throw new UsageException("A Redis cluster has only database 0, but " + database + " was given");
		}
		if (kind == Kind.SENTINEL && this.master == null) {
			throw wrong("lacks the master's name: redis-sentinel://host:26379,host:26379?master=mymaster");
		}
		return new RedisAddress(kind, nodes(nodes, port), this.master, database, username, password, tls());
	}

	private Kind kind() {
		return switch (this.scheme) {
			case "", "redis", "rediss" -> this.settings.isOn("cluster") ? Kind.CLUSTER : Kind.STANDALONE;
			case "redis-sentinel", "rediss-sentinel" -> Kind.SENTINEL;
			case "redis-cluster", "rediss-cluster" -> Kind.CLUSTER;
			default -> throw wrong("begins with '" + this.scheme + "://', but must begin with redis://, rediss://, "
					+ "redis-sentinel:// or redis-cluster://, or be host:port");
		};
	}

	private @Nullable Tls tls() {
		String server = this.settings.find("tls_server");
		boolean named = server != null && !server.isEmpty();
		return (named || this.settings.isOn("tls") || this.scheme.startsWith("rediss"))
				? new Tls(named ? server : null, this.settings.isOn("insecure")) : null;
	}

	private int database() {
		boolean separate = this.path.isEmpty() || this.settings.rank("db") <= this.settings.rank("uri");
		String number = separate ? this.settings.get("db", "0") : this.path;
		try {
			int database = Integer.parseInt(number);
			if (database >= 0) {
				return database;
			}
		}
		catch (NumberFormatException ex) {
			// Told below
		}
		throw separate
				? new UsageException(
						this.settings.origin("db") + " must be a whole number from 0, but is '" + number + "'")
				: wrong("must have the number of a database after the slash, but has '" + number + "'");
	}

	private @Nullable String preferred(String name, @Nullable String ofUri) {
		String separate = this.settings.find(name);
		boolean nearer = this.settings.rank(name) <= this.settings.rank("uri");
		String value = (ofUri == null || separate != null && nearer) ? separate : ofUri;
		return (value != null && !value.isEmpty()) ? value : null;
	}

	private @Nullable String uriUser() {
		int colon = (this.login != null) ? this.login.indexOf(':') : -1;
		return (this.login != null && colon > 0) ? decoded(this.login.substring(0, colon)) : null;
	}

	private List<Node> nodes(String text, int defaultPort) {
		List<Node> nodes = new ArrayList<>();
		for (String node : text.split(",", -1)) {
			nodes.add(node(node.strip(), defaultPort));
		}
		if (nodes.size() > 1 && !this.scheme.contains("-") && !this.settings.isOn("cluster")) {
			throw wrong("names several hosts: use redis-cluster:// or redis-sentinel://");
		}
		return nodes;
	}

	private Node node(String text, int defaultPort) {
		int colon = text.lastIndexOf(':');
		boolean hasPort = colon > text.lastIndexOf(']');
		String host = hasPort ? text.substring(0, colon) : text;
		host = (host.startsWith("[") && host.endsWith("]")) ? host.substring(1, host.length() - 1) : host;
		try {
			int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : defaultPort;
			if (port > 0 && port <= 65535 && (!host.isEmpty() || hasPort)) {
				// Go takes :6379 for the local host
				return new Node(host.isEmpty() ? "127.0.0.1" : host, port);
			}
		}
		catch (NumberFormatException ex) {
			// Told below
		}
		throw wrong("must name a host and a port, but has '" + text + "'");
	}

	private UsageException wrong(String why) {
		return new UsageException(this.settings.origin("uri") + " " + why);
	}

	private @Nullable String master(String tail) {
		if (tail.startsWith("#")) {
			return decoded(tail.substring(1));
		}
		return Arrays.stream(tail.substring(1).split("&"))
			.filter((part) -> part.startsWith("master="))
			.map((part) -> decoded(part.substring("master=".length())))
			.findFirst()
			.orElse(null);
	}

	private String decoded(String text) {
		try {
			return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
		}
		catch (IllegalArgumentException ex) {
			throw wrong("has a % that is not followed by two hexadecimal digits: write %25 for %");
		}
	}

}
