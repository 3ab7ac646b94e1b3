program letters2
  implicit none
  character(len=2000) :: s
  integer :: i, r, n, v, c, d, o
  v = 0; c = 0; d = 0; o = 0
  n = 12345
  do i = 1, len(s)
    n = mod(n*1103 + 12345, 65536)
    s(i:i) = achar(32 + mod(n/7, 95))
  end do
  do r = 1, 100000
    do i = 1, len(s)
      select case (s(i:i))
      case ('a','e','i','o','u','A','E','I','O','U')
        v = v + 1
      case ('b':'d','f':'h','j':'n','p':'t','v':'z')
        c = c + 1
      case ('0':'9')
        d = d + 1
      case default
        o = o + 1
      end select
    end do
    s(mod(r,2000)+1:mod(r,2000)+1) = achar(32 + mod(r, 95))
  end do
  print *, v, c, d, o
end program
