program form
  integer :: a, &
    ! a comment between

    & b, c
  character(30) :: s = 'a &
    &string', t = "it's &
    & ""quoted"" ! no comment"
  a = b + &  ! comment
      c
  if (a .an&
    &d. b) c = 1; d = 2 ; ; e = 3
  x = 1.0e&
   &5
  10 continue
  print *, 'a;b', "c!d" ; print *
  call sub(a, &
    b)
  !hpf$ independent, new(i, j), &
  !hpf$ reduction(s)
  !hpf$ distribute a(block, &
  !hpf$& cyclic(3)) onto p
  !$omp parallel do private(i) &
  !$omp shared(x)
  !tl$ region 'Hot Loop'
  !$ conditional
# 7 "somewhere.f90"
  x = 4habcd
  s = 'caf'
end program form
