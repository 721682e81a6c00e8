package io.asynq.operations.preflight;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;

/** What several nodes of a cluster have in common is one finding. */
final class Findings {

	/** Redis says it in different words. */
	private static final List<String> REFUSALS = List.of("NOPERM", "can't run this command", "ACL failure in script");

	/** The nodes of each finding, whose problem has no subject yet. */
	private final Map<Finding, SortedSet<String>> nodes = new LinkedHashMap<>();

	private final Set<String> notChecked = new LinkedHashSet<>();

	void add(String node, String problem, String fix) {
		this.nodes.computeIfAbsent(new Finding(problem, fix), (finding) -> new TreeSet<>()).add(node);
	}

	/** Notes that a check could not be made, unless Redis cannot be reached any more. */
	void check(String subject, Runnable check) {
		try {
			check.run();
		}
		catch (BrokerUnavailableException ex) {
			throw ex;
		}
		catch (BrokerException ex) {
			notChecked(subject, isForbidden(ex) ? "the Redis user may not ask" : String.valueOf(ex.getMessage()));
		}
	}

	void notChecked(String subject, String reason) {
		this.notChecked.add(subject + ": " + reason);
	}

	void addAll(Findings others) {
		others.nodes.forEach((finding, where) -> where.forEach((node) -> add(node, finding.problem(), finding.fix())));
		this.notChecked.addAll(others.notChecked);
	}

	boolean haveFix(String fix) {
		return this.nodes.keySet().stream().anyMatch((finding) -> finding.fix().equals(fix));
	}

	StoreReport report() {
		List<Finding> findings = new ArrayList<>();
		this.nodes.forEach(
				(finding, where) -> findings.add(new Finding(subject(where) + " " + finding.problem(), finding.fix())));
		return new StoreReport(findings, List.copyOf(this.notChecked));
	}

	static boolean isForbidden(BrokerException error) {
		return REFUSALS.stream().anyMatch(String.valueOf(error.getMessage())::contains);
	}

	private static String subject(SortedSet<String> where) {
		return where.first().isEmpty() ? "Redis" : "Redis at " + String.join(", ", where);
	}

}
