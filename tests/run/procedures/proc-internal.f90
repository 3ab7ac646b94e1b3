! Internal procedures read and write variables of their host.
program proc_internal
  implicit none
  integer :: total, i
  double precision :: scale
  total = 0
  scale = 1.0d0
  do i = 1, 5
    call add(i)
    if (weight(i) > 2.0d0) scale = scale * 0.5d0
  end do
  print *, total, scale, i
contains
  subroutine add(n)
    integer, intent(in) :: n
    total = total + n * i
    scale = scale + 1.0d0
  end subroutine add
  double precision function weight(n)
    integer, intent(in) :: n
    weight = scale * n / (total + 1)
    total = total + 1
  end function weight
end program
