package main

import (
	"fmt"
	"time"

	"github.com/robfig/cron/v3"
)

// fireTime is the next fire after an instant by the cron library; seconds since the
// epoch, null where there is none.
type fireTime struct {
	Spec     string `json:"spec"`
	Location string `json:"location"`
	FromMs   int64  `json:"fromMs"`
	Next     *int64 `json:"next"`
}

// verdict is whether the cron library accepts a spec.
type verdict struct {
	Spec     string `json:"spec"`
	Accepted bool   `json:"accepted"`
}

// changes are places and times shortly before clock changes, and some without. Apia,
// which skipped a whole day in 2011, is not among them: the library would search there
// forever.
var changes = []struct{ location, from string }{
	{"Europe/Berlin", "2024-03-30T22:10:07.250Z"},
	{"Europe/Berlin", "2024-10-26T21:59:59.999Z"},
	{"Europe/London", "2024-03-30T23:00:00Z"},
	{"Europe/London", "2024-10-26T22:30:30Z"},
	{"America/New_York", "2024-03-10T04:30:00Z"},
	{"America/New_York", "2024-11-03T03:30:00Z"},
	{"Australia/Lord_Howe", "2024-04-06T12:00:00Z"},
	{"Australia/Lord_Howe", "2024-10-05T13:00:00Z"},
	{"America/Sao_Paulo", "2018-11-04T01:30:00Z"},
	{"America/Sao_Paulo", "2018-02-18T00:30:00Z"},
	{"Asia/Beirut", "2024-03-30T20:00:00Z"},
	{"Asia/Beirut", "2023-10-28T19:00:00Z"},
	{"Africa/Cairo", "2024-04-25T20:00:00Z"},
	{"Africa/Cairo", "2024-10-31T19:00:00Z"},
	{"Pacific/Chatham", "2024-04-06T12:00:00Z"},
	{"Pacific/Chatham", "2024-09-28T12:00:00Z"},
	{"Antarctica/Troll", "2024-03-30T23:00:00Z"},
	{"America/Santiago", "2023-09-03T02:00:00Z"},
	{"Asia/Tehran", "2021-03-21T18:00:00Z"},
	{"Asia/Kathmandu", "2024-02-28T12:00:00Z"},
	{"UTC", "2024-02-28T23:59:00Z"},
	{"UTC", "2096-03-01T00:00:00Z"},
	{"America/New_York", "2023-12-31T23:59:59.5Z"},
}

var specs = []string{
	"* * * * *", "*/15 * * * *", "0 * * * *", "30 * * * *", "0 0 * * *", "30 0 * * *", "0 1 * * *", "30 1 * * *",
	"0 2 * * *", "30 2 * * *", "15 2,3 * * *", "0 3 * * *", "59 23 * * *", "0 0 1 * *", "0 0 * * 0", "0 0 31 * *",
	"0 0 13 * 5", "0 0 */13 * 5", "0 0 13 * */2", "0 0 */1 * 1", "0 9 1-7 */2 MON", "*/7 */5 */3 * *",
	"0 12 * * mon-FRI", "5/20 22/1 * jan,Apr,oct-12 ?", "0 0 29 2 *", "0 0 30 2 *", "0 */2 31 DEC sun",
	"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly",
	"@every 90m", "@every 1h30m10s", "@every 1.5s", "@every 250ms", "@every -5m", "@every 36h",
	"CRON_TZ=Asia/Tokyo 30 6 * * *", "TZ=America/Los_Angeles 30 2 * * *", "CRON_TZ=UTC @daily", "TZ=Local 0 4 * * *",
	"TZ= 0 5 * * *", "5/9223372036854775807 * * * *",
}

const firesEach = 3

func fireTimes() ([]fireTime, error) {
	var times []fireTime
	for _, change := range changes {
		location, err := time.LoadLocation(change.location)
		if err != nil {
			return nil, err
		}
		start, err := time.Parse(time.RFC3339, change.from)
		if err != nil {
			return nil, err
		}
		for _, spec := range specs {
			schedule, err := cron.ParseStandard(spec)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", spec, err)
			}
			from := start.In(location)
			for i := 0; i < firesEach && !from.IsZero(); i++ {
				fire := fireTime{Spec: spec, Location: change.location, FromMs: from.UnixMilli()}
				next := schedule.Next(from)
				if !next.IsZero() {
					seconds := next.Unix()
					fire.Next = &seconds
				}
				times = append(times, fire)
				from = next
			}
		}
	}
	return times, nil
}

var doubtful = []string{
	"", " ", "*", "* * * *", "* * * * * *", "0 0 * * * 2024", "  0  0 * * *  ", "0\t0 * * *", "0 0 * * *\n",
	"60 * * * *", "59 * * * *", "-1 * * * *", "0 24 * * *", "0 23 * * *", "0 0 0 * *", "0 0 32 * *", "0 0 31 * *",
	"0 0 * 0 *", "0 0 * 13 *", "0 0 * 12 *", "0 0 * * 7", "0 0 * * 6", "0 0 * * 8", "0 0 * * 0-7", "0 0 * * SUN-SAT",
	"0 0 * * SAT-SUN", "0 0 * * FRI-MON", "0 0 * * MONDAY", "0 0 * JANUARY *", "0 0 * JAN-MAR *", "0 0 * dec *",
	"0 0 MON * *", "JAN 0 * * *", "0 0 * MON *", "0 0 * * JAN",
	"*/0 * * * *", "*/-1 * * * *", "*/1 * * * *", "*/60 * * * *", "*/1000 * * * *", "*/99999999999 * * * *",
	"*/99999999999999999999 * * * *", "*/a * * * *", "*/ * * * *", "/5 * * * *", "*/5/5 * * * *", "*/+5 * * * *",
	"5/ * * * *", "5/10 * * * *", "59/1 * * * *", "60/1 * * * *", "5-1 * * * *", "1-5-9 * * * *", "1- * * * *",
	"-5 * * * *", "1-5/2 * * * *", "1-60 * * * *", "1-59/100 * * * *", "*-5 * * * *", "*-foo * * * *", "?-5/2 * * * *",
	"? ? ? ? ?", "?/2 * * * *", "1,2,3 * * * *", ",1 * * * *", "1, * * * *", ",,1,, * * * *", ", * * * *",
	"1,60 * * * *", "1,a * * * *", "1.5 * * * *", "+5 * * * *", "1_0 * * * *", "0x10 * * * *", "007 * * * *",
	"** * * * *", "*5 * * * *", "5* * * * *", "٣ * * * *", "0 0 L * *", "0 0 15W * *", "0 0 * * 5#2", "0 0 * * 5L",
	"H * * * *", "99999999999999999999 * * * *", "0 0 * * sun,mon", "0 0 * * Sun/2", "0 0 * * tue-thu/2",
	"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly", "@reboot", "@Daily", "@daily ",
	" @daily", "@", "@every", "@every ", "@every 1", "@every 0", "@every 1s", "@every 1S", "@every  1s", "@every 1s ",
	"@every 1m30s", "@every 1m 30s", "@every 1.5h", "@every .5m", "@every 5.m", "@every .m", "@every 1d", "@every 1w",
	"@every -1h", "@every +1h", "@every --1h", "@every 1us", "@every 1µs", "@every 1μs", "@every 1ns", "@every 100ms",
	"@every 1h1h", "@every h", "@every 1e3s", "@every 9223372036s", "@every 9223372037s", "@every 2562047h47m16.854775807s",
	"@every 2562047h47m16.854775808s", "@every -2562047h47m16.854775808s", "@every 99999999999999999999h",
	"@every 0.99999999999999999999999999s", "@every PT5M", "@every ٣s", "@EVERY 1s",
	"TZ=UTC * * * * *", "CRON_TZ=UTC * * * * *", "TZ=UTC", "CRON_TZ=UTC", "TZ=UTC ", "TZ= * * * * *",
	"TZ=Europe/Berlin * * * * *", "TZ=Europe/Atlantis * * * * *", "TZ=Local * * * * *", "TZ=local * * * * *",
	"TZ=Europe/Berlin @daily", "CRON_TZ=Europe/Berlin   @every 1h  ", "tz=UTC * * * * *", " TZ=UTC * * * * *",
	"TZ=UTC\t* * * * *", "TZ=../UTC * * * * *", "TZ=/UTC * * * * *", "TZ=+02:00 * * * * *", "TZ=UTC+1 * * * * *",
	"TZ=GMT+1 * * * * *", "TZ=Etc/GMT+1 * * * * *", "TZ=Z * * * * *", "TZ=EST * * * * *", "TZ=EST5EDT * * * * *",
	"TZ=PST * * * * *", "TZ=GMT0 * * * * *", "TZ=GMT * * * * *", "TZ=UT * * * * *", "TZ=UCT * * * * *",
	"TZ=Zulu * * * * *", "TZ=US/Pacific * * * * *", "TZ=CRON_TZ=UTC * * * * *", "TZ=UTC TZ=UTC * * * * *",
	"TZ=MST * * * * *", "TZ=HST * * * * *", "TZ=ACT * * * * *", "TZ=UTC @yearly x", "TZ=UTC * * * *",
	"CRON_TZ=UTC @every  5m", "CRON_TZ=UTC @every\t5m", "CRON_TZ=UTC \t@every 5m\u00a0\n", "CRON_TZ=UTC 0\u00a00  * * *",
	"TZ=UTC @every 1h\u2003", "5/9223372036854775807 * * * *", "5/9223372036854775808 * * * *",
}

func verdicts() []verdict {
	all := make([]verdict, len(doubtful))
	for i, spec := range doubtful {
		all[i] = verdict{Spec: spec, Accepted: accepted(spec)}
	}
	return all
}

func accepted(spec string) (ok bool) {
	// A zone without a spec makes the library panic
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, err := cron.ParseStandard(spec)
	return err == nil
}
