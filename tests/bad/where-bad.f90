! WHERE with statements that may not stand in it.
program where_bad
  implicit none
  integer :: a(3), i
  where (a > 0)
    i = 1
    print *, a
    a = 0
    call s
  end where
  where (i > 0) a = 1
  where (a > 0)
  elsewhere
  elsewhere (a < 0)
  end where
contains
  subroutine s
  end subroutine s
end program
