! Runs the kernel twice and prints what it computed; then says how many nanoseconds of processor time a run takes.
program main
  use kernel, only: setup, run, check
  implicit none
  integer(8) :: runs, i
  real(8) :: start, finish
  call setup()
  call run()
  call run()
  print '(a, es23.15)', 'check ', check()
  runs = 1
  do
    call cpu_time(start)
    do i = 1, runs
      call run()
    end do
    call cpu_time(finish)
    if (finish - start > 0.02d0) exit
    if (finish - start > 0.002d0) then
      runs = int(runs * 0.025d0 / (finish - start), 8) + 1
    else
      runs = runs * 8
    end if
  end do
  print '(a, es12.5)', 'nanoseconds ', (finish - start) / runs * 1d9
end program
