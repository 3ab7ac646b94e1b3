! DATA with too few and too many values, wrong types, twice, a dummy argument.
program data_bad
  implicit none
  integer :: a(3), b(2), i, j, k
  logical :: l
  data a / 1, 2 /
  data b / 1, 2, 3 /
  data i / 'abc' /
  data l / 5 /
  data j / 1 /, j / 2 /
  data k / j /
contains
  subroutine s(x)
    integer :: x
    data x / 3 /
  end subroutine s
end program
