package io.asynq.reliability;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import io.asynq.reliability.fault.Fault;
import io.asynq.reliability.fault.Faults;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class ReliabilityTests {

	@Test
	void rejectsUnknownFaultAndNamesKnownOnes() {
		StringWriter said = new StringWriter();
		CommandLine program = new CommandLine(new Reliability()).setErr(new PrintWriter(said));
		assertThat(program.execute("--only", "sigkill,nonsense")).isEqualTo(CommandLine.ExitCode.USAGE);
		assertThat(said.toString()).contains("nonsense").contains("sigkill-mixed").contains("rolling-restart");
	}

	@Test
	void faultNamesAreUnique() {
		List<String> names = Faults.all().stream().map(Fault::name).toList();
		assertThat(names).doesNotHaveDuplicates().contains("none", "sigkill", "sigstop", "clock-skew", "slow-redis");
	}

}
